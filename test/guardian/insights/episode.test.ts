import { expect, test } from 'vitest';
import { found, gone } from '../../../src/guardian/insights/episode.ts';
import { episode, finding } from './episodes.ts';

const HOUR_MS = 3_600_000;

test('what is found for the first time is open, and nobody was told of it', () => {
  expect(found(undefined, finding('warning'), { atMs: 5, id: 'ins_1' })).toEqual({
    id: 'ins_1',
    finding: finding('warning'),
    status: 'open',
    firstSeenMs: 5,
    lastSeenMs: 5,
    count: 1,
    toldSeverity: null,
  });
});

test('what is found again is the same, seen once more, with the texts of now', () => {
  const again = { ...finding('high'), title: '61 at once' };
  const before = episode('warning', { toldSeverity: 'warning' });
  expect(found(before, again, { atMs: 60_000, id: 'another' })).toEqual({
    ...before,
    finding: again,
    lastSeenMs: 60_000,
    count: 2,
  });
});

test('what was acknowledged stays so, until it gets worse', () => {
  const known = episode('warning', { status: 'acknowledged' });
  const after = (severity: 'info' | 'warning' | 'high') => found(known, finding(severity), { atMs: 9, id: '' }).status;
  expect([after('info'), after('warning'), after('high')]).toEqual(['acknowledged', 'acknowledged', 'open']);
});

test('what is not found any more is resolved, and as it was when it was last seen', () => {
  const before = episode('high', { status: 'acknowledged' });
  const resolved = gone(before);
  expect(resolved).toEqual({ ...before, status: 'resolved' });
  expect(gone(resolved)).toBe(resolved);
});

test('what comes back is open again, and news again after six hours', () => {
  const resolved = episode('high', { status: 'resolved', toldSeverity: 'high' });
  const back = (atMs: number) => found(resolved, finding('high'), { atMs, id: '' });
  expect([back(6 * HOUR_MS - 1), back(6 * HOUR_MS)].map(({ status, toldSeverity }) => [status, toldSeverity])).toEqual([
    ['open', 'high'],
    ['open', null],
  ]);
});

test.each([
  ['resolved', 6 * HOUR_MS, null],
  ['resolved', 6 * HOUR_MS - 1, 'warning'],
  // While it is open it is no news, however long nobody looked.
  ['open', 7 * HOUR_MS, 'warning'],
  ['acknowledged', 7 * HOUR_MS, 'warning'],
] as const)('a %s insight that is found again after %i ms was told as %s', (status, atMs, toldSeverity) => {
  const before = episode('warning', { status, toldSeverity: 'warning' });
  expect(found(before, finding('warning'), { atMs, id: '' }).toldSeverity).toBe(toldSeverity);
});
