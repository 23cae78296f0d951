import { describe, expect, test } from 'vitest';
import type { PermissionStep } from '../../src/contract/shell.ts';
import { createAway } from '../../src/shell/mac-programs.ts';
import { loginItemOf, stopShortcut } from '../../src/shell/menu.ts';
import { createFirstWalk } from '../../src/shell/permission-walk.ts';

describe('the person', () => {
  test('has left with the first cause and is back when the last has gone', () => {
    const away = createAway();
    const changes = [
      { locked: false },
      { otherUser: true },
      { locked: true },
      { otherUser: false },
      { locked: true },
      { locked: false },
      { locked: true, otherUser: true },
      { locked: false, otherUser: false },
    ];
    expect(changes.map(away)).toEqual([
      ...['nothing', 'left', 'nothing', 'nothing', 'nothing', 'back'],
      ...['left', 'back'],
    ]);
  });
});

test('the walk through the permissions begins once in a run, when one is missing', () => {
  const isFirst = createFirstWalk();
  const step = (state: PermissionStep['state']): PermissionStep[] => [
    { permission: 'accessibility', state, name: 'Accessibility', why: 'For buttons.' },
  ];
  expect([[], step('unknown'), step('granted'), step('stale'), step('missing')].map(isFirst)).toEqual([
    ...[false, false, false, true],
    false,
  ]);
});

test.each([
  ['enabled', true, 'on'],
  ['not-registered', false, 'off'],
  ['not-found', false, 'off'],
  ['requires-approval', false, 'approve'],
  ['requires-approval', true, 'approve'],
] as const)('a login item that is %s, open %s, is shown as %s', (status, openAtLogin, shown) => {
  expect(loginItemOf({ status, openAtLogin })).toBe(shown);
});

test('the shortcut of the stop is none that macOS has for itself', () => {
  const withControlOptionCommand = /^(?=.*Control)(?=.*Alt)(?=.*Command).*\+(.+)$/;
  const [, key] = withControlOptionCommand.exec(stopShortcut('darwin')) ?? [];
  expect(key).toBe('S');
  expect(['.', ',', '8', 'Eject', 'Power']).not.toContain(key);
  expect(stopShortcut('linux')).toBe('Control+Alt+Shift+S');
});
