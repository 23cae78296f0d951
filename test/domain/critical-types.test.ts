import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/domain/catalogue.ts';

/** Parameters with which each type is as risky as it can be by its parameters alone. */
const RISKIEST: Readonly<Record<string, Record<string, unknown>>> = {
  DescribeScreen: { contents: true },
  TakeScreenshot: {},
  OpenApp: { appName: 'Terminal' },
  QuitApp: { appName: 'Terminal' },
  Wait: { durationMs: 60_000 },
  ListFiles: { path: '~/.ssh', depth: 5 },
  ReadFile: { path: '~/.bashrc' },
  WriteFile: { path: '~/.bashrc', content: 'x', overwrite: true },
  MoveFile: { from: '~/a', to: '~/.bashrc' },
  TrashFile: { path: '~/.bashrc' },
  Click: { elementId: 'e1' },
  CloseWindow: { windowId: '0x1' },
  Drag: { from: { elementId: 'e1' }, to: { elementId: 'e2' } },
  FocusWindow: { windowId: '0x1' },
  InvokeMenu: { windowId: '0x1', path: ['File', 'Delete'] },
  ListWindows: {},
  MinimizeWindow: { windowId: '0x1' },
  MovePointer: { x: 1, y: 1 },
  MoveWindow: { windowId: '0x1', bounds: { x: 0, y: 0, width: 1, height: 1 } },
  OpenUrl: { url: 'https://example.org/' },
  PressKeys: { keys: 'ctrl+alt+delete' },
  ReadClipboard: {},
  RequestAccess: { apps: ['Terminal'], allow: 'input', minutes: 480 },
  Scroll: { elementId: 'e1', dy: 1 },
  SetValue: { elementId: 'e1', value: 'x' },
  TypeText: { text: 'sudo rm -rf /\n' },
  WaitFor: { text: 'x' },
  WriteClipboard: { text: 'x' },
  RunScript: { interpreter: 'sh', script: 'ls', network: ['example.org'] },
};

test('RULES.md names the action types that can be of critical risk, and no others', () => {
  expect(Object.keys(RISKIEST).toSorted()).toEqual([...CATALOGUE.keys()].toSorted());
  const critical = Object.entries(RISKIEST).flatMap(([type, parameters]) => {
    const answer = CATALOGUE.get(type)?.assess(parameters);
    return answer?.ok === true && answer.assessment.risk.level === 'critical' ? [type] : [];
  });
  const rules = readFileSync(join(import.meta.dirname, '../../src/domain/RULES.md'), 'utf8');
  const sentence = /an action of the types ([^.:]*) is `critical`/u.exec(rules)?.[1] ?? '';
  expect([...sentence.matchAll(/`(\w+)`/gu)].map(([, type]) => type).toSorted()).toEqual(critical.toSorted());
});
