import { expect, test } from 'vitest';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { offeredScopes } from '../../src/domain/grant.ts';

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
