import fc from 'fast-check';
import { expect, it } from 'vitest';
import { steppedOver } from '../../src/services/guardian/charts.ts';
import { stepsOf } from '../../src/services/guardian/time-windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const startMs = Date.UTC(2026, 2, 1);

it.each([
  { lengthMs: HOUR_MS, points: 60, stepMs: MINUTE_MS },
  { lengthMs: DAY_MS, points: 24, stepMs: HOUR_MS },
  { lengthMs: DAY_MS, points: 23, stepMs: 2 * HOUR_MS },
  { lengthMs: 30 * DAY_MS, points: 120, stepMs: 6 * HOUR_MS },
  { lengthMs: 90 * DAY_MS, points: 90, stepMs: DAY_MS },
  { lengthMs: 90 * DAY_MS, points: 20, stepMs: 5 * DAY_MS },
])('cuts $lengthMs ms into at most $points parts of a length that people reckon in', ({ lengthMs, points, stepMs }) => {
  const toMs = Math.ceil(startMs / stepMs) * stepMs + lengthMs;
  expect(steppedOver({ fromMs: toMs - lengthMs, toMs }, { points, unitMs: MINUTE_MS }).stepMs).toBe(stepMs);
});

it('has parts without a gap that cover the span, and never more than were asked for', () => {
  const span = fc.record({ fromMinutes: fc.nat(200_000), minutes: fc.integer({ min: 1, max: 130_000 }) });
  fc.assert(
    fc.property(span, fc.integer({ min: 1, max: 400 }), ({ fromMinutes, minutes }, points) => {
      const fromMs = startMs + fromMinutes * MINUTE_MS;
      const toMs = fromMs + minutes * MINUTE_MS;
      // One part may begin before the span, and the next one end after it.
      const { window, stepMs } = steppedOver({ fromMs, toMs }, { points: Math.max(2, points), unitMs: MINUTE_MS });
      const spans = stepsOf(window, stepMs);
      expect(spans.length).toBeLessThanOrEqual(Math.max(2, points));
      expect(spans[0]?.fromMs).toBeLessThanOrEqual(fromMs);
      expect(spans.at(-1)?.toMs).toBe(toMs);
      for (const [index, each] of spans.entries()) {
        expect(each.toMs - each.fromMs).toBeLessThanOrEqual(stepMs);
        if (index > 0) expect(each.fromMs).toBe(spans[index - 1]?.toMs);
      }
    }),
    { numRuns: 100 },
  );
});

it('has no part shorter than the rows that are still kept', () => {
  const span = { fromMs: startMs, toMs: startMs + HOUR_MS };
  expect(steppedOver(span, { points: 60, unitMs: HOUR_MS }).stepMs).toBe(HOUR_MS);
});
