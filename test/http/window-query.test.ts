import { expect, test } from 'vitest';
import { windowParameters, windowRequest } from '../../src/http/query.ts';

const DAY_MS = 86_400_000;

test.each([
  ['0m', undefined],
  ['1m', 60_000],
  ['1h', 3_600_000],
  ['90d', 90 * DAY_MS],
  ['91d', undefined],
  ['2160h', 90 * DAY_MS],
  ['2161h', undefined],
  ['129601m', undefined],
])('a window of %s is read as %j ms', (came, lengthMs) => {
  const read = windowParameters('24h').window.read(came);
  expect('value' in read ? read.value : undefined).toBe(lengthMs);
});

test.each([
  [90 * DAY_MS, { fromMs: 1_000, toMs: 1_000 + 90 * DAY_MS }],
  [90 * DAY_MS + 1, { refused: 'validation_failed' }],
  [1, { fromMs: 1_000, toMs: 1_001 }],
  [0, { refused: 'validation_failed' }],
])('a window of %d ms between two times', (lengthMs, expected) => {
  expect(windowRequest({ from: 1_000, to: 1_000 + lengthMs }, DAY_MS)).toMatchObject(expected);
});
