import { describe, expect, test } from 'vitest';
import { drifting, STAMPING_FROM_DAY, stamper } from './persons.ts';
import { liveUntilTold } from './persons-rig.ts';

/** The limits were tuned with other seeds. */
const SEEDS = Array.from({ length: 20 }, (_, index) => 401 + index);
const LONGEST_MS = 60_000;

describe('a person who approves everything is warned within three days of work', () => {
  test.each([
    stamper([300, 1_000]),
    stamper(1_500),
    stamper(2_400),
    stamper(3_000),
    stamper(3_500),
    stamper(1_500, { deniesOneADay: true }),
    stamper(2_400, { deniesOneADay: true }),
    stamper(3_500, { deniesOneADay: true }),
    stamper(2_400, { deniesOneADay: true, promptsADay: 10 }),
  ])('$name', (kind) => {
    const days = SEEDS.map((seed) => (liveUntilTold(kind, { seed, days: 20 })?.day ?? Number.NaN) + 1);
    expect(days.filter((day) => !(day <= 3))).toEqual([]);
  });
});

test('a person with few prompts is warned of approving everything on the day of the twentieth answer, or before', () => {
  for (const promptsADay of [5, 7]) {
    const kind = stamper(2_400, { deniesOneADay: true, promptsADay });
    const days = SEEDS.map((seed) => (liveUntilTold(kind, { seed, days: 20 })?.day ?? Number.NaN) + 1);
    expect(days.filter((day) => !(day <= Math.ceil(20 / promptsADay)))).toEqual([]);
  }
});

test.each([1_000, 2_400, 3_500].map(drifting))(
  '$name: warned within three days of work',
  (kind) => {
    const told = SEEDS.map((seed) => liveUntilTold(kind, { seed, days: STAMPING_FROM_DAY + 20 })?.day ?? Number.NaN);
    expect(told.filter((day) => !(day < STAMPING_FROM_DAY + 3))).toEqual([]);
  },
  LONGEST_MS,
);

test('the warning says how many requests were allowed, how fast, and how long reading takes', () => {
  const told = liveUntilTold(stamper(2_400), { seed: 401, days: 3 });
  expect(told?.finding.title).toMatch(
    /^You allowed \d+ of \d+ requests, half of them within 2\.\d s; reading one takes about \d+ s$/,
  );
  expect(told?.finding).toMatchObject({ category: 'oversight', severity: 'warning' });
});
