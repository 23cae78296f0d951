import { describe, expect, test } from 'vitest';
import { labelOf, menuOf, type ShellFacts, trayStatusOf } from '../../src/shell/menu.ts';
import { permissionSteps } from '../../src/shell/permission-walk.ts';

const denied = { screenRecording: 'denied', accessibility: 'granted', automation: 'not_required' } as const;
const missing = permissionSteps({
  live: denied,
  switchedOn: { screenRecording: false, accessibility: true },
  proven: {},
  version: '1.0.0',
  bundleId: undefined,
});
const prompt = { id: 'cnf_1', userId: 'ann', sentence: 'Take a screenshot of the main display' };
const quiet: ShellFacts = {
  status: { paused: false, agent: 'online', running: 0, underWay: [] },
  prompts: [],
  permissions: [],
  login: 'off',
  stopShortcut: 'Control+Alt+Command+S',
};
const stuck = {
  kind: 'task',
  id: 'tsk_1',
  userId: 'ann',
  title: 'Tidy up',
  status: 'needs_attention',
  createdAt: '2026-06-01T12:00:00.000Z',
} as const;
const at = (status: Partial<ShellFacts['status']>, more: Partial<ShellFacts> = {}): ShellFacts => ({
  ...quiet,
  ...more,
  status: { ...quiet.status, ...status },
});

describe('the icon', () => {
  test.each<[string, ShellFacts, string, number, string]>([
    ['is idle when nothing happens', quiet, 'idle', 0, 'Ready'],
    ['is idle while the agent starts', at({ agent: 'starting' }), 'idle', 0, 'Starting…'],
    [
      'asks while a step of a task needs an answer, also when others run',
      at({ running: 1, agent: 'starting', underWay: [stuck] }),
      'asking',
      0,
      'A task needs your answer',
    ],
    [
      'names waiting requests before a task that needs an answer',
      at({ underWay: [stuck] }, { prompts: [prompt] }),
      'asking',
      1,
      '1 request waits for you',
    ],
    ['is acting while actions run', at({ running: 2 }), 'acting', 0, '2 running'],
    [
      'is in trouble without a permission',
      at({ running: 1 }, { permissions: missing }),
      'trouble',
      0,
      'A permission is missing',
    ],
    [
      'is in trouble without an agent',
      at({ agent: 'offline' }, { permissions: missing }),
      'trouble',
      0,
      'The agent stopped: no action can run',
    ],
    [
      'asks before it says what is broken',
      at({ agent: 'offline' }, { prompts: [prompt] }),
      'asking',
      1,
      '1 request waits for you',
    ],
    ['counts what it asks', at({}, { prompts: [prompt, prompt] }), 'asking', 2, '2 requests wait for you'],
    ['is paused above all', at({ paused: true, running: 1 }, { prompts: [prompt] }), 'paused', 1, 'Paused'],
  ])('%s', (_what, facts, ...standing) => {
    const { name, count, words } = trayStatusOf(facts);
    expect([name, count, words]).toEqual(standing);
  });
});

const texts = (facts: ShellFacts) => menuOf(facts).flatMap((line) => (line.kind === 'line' ? [] : [line.text]));

describe('the menu', () => {
  test('lists what is under way and what waits, five of each', () => {
    const work = Array.from({ length: 7 }, (_, index) => ({
      kind: 'task' as const,
      id: `tsk_${index}`,
      userId: 'ann',
      title: `Task ${index}`,
      status: 'running',
      createdAt: '2026-01-01T00:00:00.000Z',
    }));
    const prompts = work.map((_, index) => ({ ...prompt, id: `cnf_${index}`, sentence: `Ask ${index}` }));
    const listed = texts(at({ underWay: work }, { prompts }));
    expect(listed.filter((text) => text.startsWith('Task'))).toEqual([
      'Task 0',
      'Task 1',
      'Task 2',
      'Task 3',
      'Task 4',
    ]);
    expect(listed.filter((text) => text.startsWith('Review'))).toHaveLength(5);
    expect(listed).toContain('and 2 more');
  });

  test('has no command that allows anything', () => {
    const commands = menuOf(at({}, { prompts: [prompt] })).flatMap((line) =>
      line.kind === 'command' ? [line.command] : [],
    );
    expect(commands).toEqual(['review', 'pause', 'dashboard', 'permissions', 'switchLogin', 'quit']);
  });

  test.each([
    ['on', { text: 'Start at login', isChecked: true }],
    ['off', { text: 'Start at login', isChecked: false }],
    ['approve', { text: 'Start at login: approve it in System Settings…' }],
  ] as const)('shows a login item that is %s', (login, line) => {
    expect(menuOf({ ...quiet, login })).toContainEqual(expect.objectContaining(line));
  });

  test('shows the shortcut of the stop, and says when another app has taken it', () => {
    const pauseOf = (facts: ShellFacts) =>
      menuOf(facts).find((line) => line.kind === 'command' && line.command === 'pause');
    expect(pauseOf(quiet)).toMatchObject({ text: 'Pause everything', shortcut: 'Control+Alt+Command+S' });
    expect(pauseOf({ ...quiet, stopShortcut: undefined })).toEqual({
      kind: 'command',
      text: 'Pause everything (its shortcut is taken by another app)',
      command: 'pause',
    });
  });

  test('leaves the login item out where the system has none', () => {
    expect(texts({ ...quiet, login: 'unavailable' }).some((text) => text.includes('login'))).toBe(false);
  });
});

test.each([
  ['a & b', 'a && b'],
  ['line\nbreak \u202e turned \u200b', 'line□break □ turned □'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
])('the text %j becomes the label %j', (text, label) => {
  expect(labelOf(text)).toBe(label);
});
