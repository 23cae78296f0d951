import { expect, test } from 'vitest';
import { excusesOn } from './machine-needs.ts';
import {
  filesToRepeat,
  report,
  shortReason,
  type Tally,
  tallyOfCounted,
  tallyOfStep,
  tallyOfTests,
  totalOf,
  withRepetition,
} from './tally.ts';

const noTests = { passed: 0, failed: [], skipped: [], repeated: [] };

const RUN = { name: 'fast', exitCode: 0 };
const FAILED_RUN = { name: 'fast', exitCode: 1 };

test('a step without tests of its own counts as one test', () => {
  expect([tallyOfStep('lint', 0), tallyOfStep('types', 2)]).toEqual([
    { ...noTests, passed: 1 },
    { ...noTests, failed: ['types'] },
  ]);
});

test('a run of tests counts what it counted', () => {
  const skipped = [{ name: 'test/macos/a.test.ts > b', reason: 'needs a permission' }];
  const counted = { passed: 3, failed: ['a'], skipped, repeated: ['c'] };
  expect(tallyOfTests(FAILED_RUN, counted)).toEqual(counted);
});

test('a run that failed without a failing test, or that crashed, is one failure', () => {
  expect([tallyOfTests(FAILED_RUN, { ...noTests, passed: 3 }), tallyOfTests(FAILED_RUN, undefined)]).toEqual([
    { ...noTests, passed: 3, failed: ['fast: ended with exit code 1'] },
    { ...noTests, failed: ['fast: did not come to its end'] },
  ]);
});

test('a test that is skipped outside test/macos has failed', () => {
  const skipped = [{ name: 'test/http/a.test.ts > b', reason: 'skipped without a reason' }];
  expect(tallyOfTests(RUN, { ...noTests, passed: 3, skipped })).toEqual({
    ...noTests,
    passed: 3,
    failed: ['test/http/a.test.ts > b (skipped: skipped without a reason)'],
  });
});

test('a test may skip itself for a reason that holds on this machine, and is named', () => {
  const skipped = [{ name: 'test/agent/a.test.ts > b', reason: 'needs root' }];
  const counted = { ...noTests, passed: 3, skipped };
  const asRoot = { ...RUN, excuses: excusesOn({ platform: 'linux', asRoot: true }) };
  const asOrdinaryUser = { ...RUN, excuses: excusesOn({ platform: 'linux', asRoot: false }) };
  expect(tallyOfTests(asRoot, counted).failed).toEqual(['test/agent/a.test.ts > b (skipped: needs root)']);
  expect(tallyOfTests(asOrdinaryUser, counted)).toEqual(counted);
  expect(excusesOn({ platform: 'darwin', asRoot: false })).toEqual(['needs root', 'needs Linux']);
  expect(report(tallyOfTests(asOrdinaryUser, counted)).split('\n')).toEqual([
    'NOT RUN  test/agent/a.test.ts > b (needs root)',
    '3 passed, 0 failed, 1 skipped',
  ]);
});

test('two files of a run may pass only when they run again, and are named', () => {
  const total = totalOf([
    { ...noTests, passed: 2, repeated: ['a'] },
    { ...noTests, passed: 2, repeated: ['b'] },
  ]);
  expect(report(total).split('\n')).toEqual([
    'REPEATED a (failed; then its file ran again and passed)',
    'REPEATED b (failed; then its file ran again and passed)',
    '4 passed, 0 failed',
  ]);
});

test('three files that pass only when they run again are a failure', () => {
  const total = totalOf([{ ...noTests, passed: 5, repeated: ['a', 'b', 'c'] }]);
  expect(total.failed).toEqual(['3 files passed only when they ran again; 2 may']);
});

test('the report shows why a test failed below its name', () => {
  const total = totalOf([
    { ...noTests, passed: 1 },
    { ...noTests, failed: ['a > b', 'types'], reasons: { 'a > b': 'expected 0 to be 23' } },
  ]);
  expect(report(total).split('\n')).toEqual([
    'FAILED   a > b',
    '         expected 0 to be 23',
    'FAILED   types',
    '1 passed, 2 failed',
  ]);
});

test('the reason for a failure is its first lines in one, 600 characters at most', () => {
  expect(shortReason('Property failed\n\n  { seed: 1 }\nGot error: 1')).toBe(
    'Property failed | { seed: 1 } | Got error: 1',
  );
  expect(shortReason('x\n'.repeat(20))).toBe(Array(8).fill('x').join(' | '));
  expect(shortReason('x'.repeat(601))).toBe('x'.repeat(600));
});

test('the report names the tests that failed or were not run, and ends with the numbers', () => {
  const total = totalOf([
    { ...noTests, passed: 2, failed: ['types'] },
    { ...noTests, passed: 3, skipped: [{ name: 'opens Safari', reason: 'needs macOS' }] },
  ]);
  expect(report(total).split('\n')).toEqual([
    'NOT RUN  opens Safari (needs macOS)',
    'FAILED   types',
    '5 passed, 1 failed, 1 skipped',
  ]);
  expect(report({ ...noTests, passed: 7 })).toBe('7 passed, 0 failed');
});

const good: Tally = { ...noTests, passed: 2 };
const bad: Tally = { ...noTests, passed: 1, failed: ['b > one'], reasons: { 'b > one': 'too late' } };

test('a run repeats the files that failed, if they are at most two and no error was outside of a test', () => {
  expect(filesToRepeat({ files: { a: good, b: bad }, outside: [] })).toEqual(['b']);
  expect(filesToRepeat({ files: { a: good, b: bad }, outside: ['an error'] })).toEqual([]);
  expect(filesToRepeat({ files: { b: bad, c: bad, d: bad }, outside: [] })).toEqual([]);
});

test('the second time of a file counts, and what failed first is named with its reason', () => {
  const first = { files: { a: good, b: bad }, outside: [] };
  expect(tallyOfCounted(withRepetition(first, { files: { b: good }, outside: [] }))).toEqual({
    ...noTests,
    passed: 4,
    reasons: { 'b > one': 'too late' },
    repeated: ['b > one'],
  });
  const failedAgain = tallyOfCounted(withRepetition(first, { files: { b: bad }, outside: ['an error'] }));
  expect(failedAgain).toMatchObject({ passed: 3, failed: ['b > one', 'an error'], repeated: [] });
});
