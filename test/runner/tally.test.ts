import { expect, test } from 'vitest';
import { report, tallyOfStep, tallyOfTests, totalOf } from './tally.ts';

const noTests = { passed: 0, failed: [], skipped: [] };

test('a step without tests of its own counts as one test', () => {
  expect([tallyOfStep('lint', 0), tallyOfStep('types', 2)]).toEqual([
    { ...noTests, passed: 1 },
    { ...noTests, failed: ['types'] },
  ]);
});

test('a run of tests counts what it counted', () => {
  const counted = { passed: 3, failed: ['a'], skipped: [{ name: 'b', reason: 'needs macOS' }] };
  expect(tallyOfTests('fast', 1, counted)).toEqual(counted);
});

test('a run that failed without a failing test, or that crashed, is one failure', () => {
  expect([tallyOfTests('fast', 1, { ...noTests, passed: 3 }), tallyOfTests('fast', 1, undefined)]).toEqual([
    { ...noTests, passed: 3, failed: ['fast: ended with exit code 1'] },
    { ...noTests, failed: ['fast: did not come to its end'] },
  ]);
});

test('the report names what failed and what was not run, and ends with the numbers', () => {
  const total = totalOf([
    { passed: 2, failed: ['types'], skipped: [] },
    { passed: 3, failed: [], skipped: [{ name: 'opens Safari', reason: 'needs macOS' }] },
  ]);
  expect(report(total).split('\n')).toEqual([
    'NOT RUN  opens Safari (needs macOS)',
    'FAILED   types',
    '5 passed, 1 failed, 1 skipped',
  ]);
  expect(report({ ...noTests, passed: 7 })).toBe('7 passed, 0 failed');
});
