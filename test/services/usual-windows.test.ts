import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, isWeekend } from '../../src/guardian/metrics/local-time.ts';
import { measure, type Recorded } from '../../src/guardian/recording/metrics.ts';
import { emptyRollup } from '../../src/guardian/recording/rollup.ts';
import { createUsualWindows } from '../../src/services/guardian/usual-windows.ts';

/** Ten actions an hour; how many of them fail goes by the hour. Nothing is asked where that is `null`. */
function recordedFrom(firstMs: number, failedAt: (atMs: number) => number | null) {
  return ({ fromMs, toMs }: { fromMs: number; toMs: number }): Recorded => {
    const rollup = emptyRollup();
    const { counters } = rollup;
    for (let atMs = Math.max(firstMs, fromMs); atMs < toMs; atMs += HOUR_MS) {
      const failed = failedAt(atMs);
      if (failed === null) continue;
      counters.requested += 10;
      counters.failed += failed;
      counters.succeeded += 10 - failed;
    }
    const upMs = Math.max(0, toMs - Math.max(firstMs, fromMs));
    return { rollup, upTime: { upMs, readyMs: upMs, unlockedMs: upMs }, lengthMs: toMs - fromMs };
  };
}

const few = (atMs: number) => ((atMs / HOUR_MS) % 9 === 0 ? 1 : 0);
/** Half fails on weekends. */
const mixedWeek = (atMs: number) => (isWeekend(atMs) ? 5 : few(atMs));
/** Only workdays have any, and half fails in their mornings. */
const mixedDays = (atMs: number) => (isWeekend(atMs) ? null : new Date(atMs).getHours() < 12 ? 5 : few(atMs));

const MONDAY_NOON_MS = new Date(2026, 2, 30, 12).getTime();

test.each([
  ['a mixed week', mixedWeek, 84],
  ['a mixed week', mixedWeek, 28],
  ['mixed days', mixedDays, 84],
  ['mixed days', mixedDays, 28],
])('no hour of %s is worse than ever: %#', (_what, failedAt, knownDays) => {
  const isWorstAt = (toMs: number) => {
    const recorded = recordedFrom(toMs - knownDays * DAY_MS, failedAt);
    const span = { fromMs: toMs - DAY_MS, toMs };
    const { value } = measure('action_success_rate', recorded(span));
    return createUsualWindows({ recorded })(span).isWorst('action_success_rate', value ?? 1);
  };
  const times = Array.from({ length: 7 * 8 }, (_, index) => MONDAY_NOON_MS + index * 3 * HOUR_MS);
  expect(times.filter((toMs) => isWorstAt(toMs) === true)).toEqual([]);
});

test('a Tuesday like a Sunday is unusual', () => {
  const toMs = MONDAY_NOON_MS + DAY_MS;
  const recorded = recordedFrom(toMs - 84 * DAY_MS, mixedWeek);
  const usual = createUsualWindows({ recorded })({ fromMs: toMs - DAY_MS, toMs });
  const sunday = recorded({ fromMs: MONDAY_NOON_MS - 36 * HOUR_MS, toMs: MONDAY_NOON_MS - 12 * HOUR_MS });
  expect(usual.isWorst('action_success_rate', measure('action_success_rate', sunday).value ?? 1)).toBe(true);
});

test('a week is compared with weeks that end at the same time, and has a history after nine of them', () => {
  const recorded = recordedFrom(MONDAY_NOON_MS - 63 * DAY_MS, mixedWeek);
  const span = { fromMs: MONDAY_NOON_MS - 7 * DAY_MS, toMs: MONDAY_NOON_MS };
  const usual = createUsualWindows({ recorded })(span);
  expect(usual.hasHistory).toBe(true);
  expect(usual.medianOf('action_success_rate')).toBeCloseTo(
    measure('action_success_rate', recorded(span)).value ?? 0,
    2,
  );
});
