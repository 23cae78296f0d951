import { expect, test } from 'vitest';
import { careful, quickWithKnownRequests } from './persons.ts';
import { liveUntilTold } from './persons-rig.ts';

/** The limits were tuned with other seeds. */
const SEEDS = Array.from({ length: 8 }, (_, index) => 401 + index);
const TWELVE_WEEKS = 60;
const LONGEST_MS = 240_000;

test.each([careful(), careful({ medianMs: 5_000 }), quickWithKnownRequests])(
  '$name: never warned of how they approve in twelve weeks',
  (kind) => {
    expect(SEEDS.flatMap((seed) => liveUntilTold(kind, { seed, days: TWELVE_WEEKS })?.finding.title ?? [])).toEqual([]);
  },
  LONGEST_MS,
);
