import { expect, test } from 'vitest';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { GRANT_LIFE, offeredScopes } from '../../src/domain/grant.ts';

const HARMLESS: Assessment = {
  risk: { level: 'medium', reasons: [] },
  capability: null,
  sentence: 'Do it',
  target: null,
  denialTarget: '',
  changes: 'Nothing.',
  isIrreversible: false,
  apps: [],
  paths: [],
};
const SHORT = { arguments: '{}', inTask: false };

test('an action that could not do lasting harm may be allowed always, up to 500 characters of arguments', () => {
  expect(offeredScopes(HARMLESS, SHORT)).toEqual(['once', 'minutes15', 'untilQuit', 'always']);
  expect(offeredScopes(HARMLESS, { ...SHORT, arguments: 'x'.repeat(500) })).toContain('always');
});

test.each<[string, Partial<Assessment>, string]>([
  ['of high risk', { risk: { level: 'high', reasons: [] } }, '{}'],
  ['that cannot be undone', { isIrreversible: true }, '{}'],
  ['on a sensitive app', { sensitive: 'a terminal' }, '{}'],
  ['with arguments of 501 characters', {}, 'x'.repeat(501)],
])('an action %s is never allowed always', (_what, change, args) => {
  expect(offeredScopes({ ...HARMLESS, ...change }, { arguments: args, inTask: true })).toEqual([
    'once',
    'task',
    'minutes15',
    'untilQuit',
  ]);
});

test('an action of critical risk is allowed once and no more', () => {
  const critical = { ...HARMLESS, risk: { level: 'critical' as const, reasons: [] } };
  expect(offeredScopes(critical, { ...SHORT, inTask: true })).toEqual(['once']);
});

test('the lives of grants, in milliseconds', () => {
  expect(GRANT_LIFE).toEqual({
    task: { lastsMs: 28_800_000, unusedMs: 28_800_000 },
    minutes15: { lastsMs: 900_000, unusedMs: 900_000 },
    untilQuit: { lastsMs: 28_800_000, unusedMs: 28_800_000 },
    always: { lastsMs: 7_776_000_000, unusedMs: 2_592_000_000 },
  });
});
