import { expect, test } from 'vitest';
import { readPrefer } from '../../src/http/submission.ts';

test.each([
  [undefined, {}],
  ['wait=30', { waitMs: 30_000, applied: 'wait=30' }],
  ['wait = "5"', { waitMs: 5_000, applied: 'wait=5' }],
  ['Wait=0', { waitMs: 0, applied: 'wait=0' }],
  ['wait=9999', { waitMs: 120_000, applied: 'wait=120' }],
  ['respond-async', { waitMs: 0, applied: 'respond-async' }],
  ['respond-async, wait=10', { waitMs: 10_000, applied: 'wait=10' }],
  ['return=minimal, wait=10', { waitMs: 10_000, applied: 'wait=10' }],
  ['wait=-1', {}],
  ['wait=soon', {}],
  ['return=minimal', {}],
])('Prefer: %s is read as %o', (header, preference) => {
  expect(readPrefer(header)).toEqual(preference);
});
