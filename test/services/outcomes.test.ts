import { expect, test } from 'vitest';
import { emptyRollup } from '../../src/guardian/recording/rollup.ts';
import { createOutcomes } from '../../src/services/guardian/outcomes.ts';
import type { Span } from '../../src/services/guardian/windows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('parts that ended an hour ago are counted once, later ones each time', () => {
  const startMs = Date.parse('2026-05-01T00:00:00.000Z');
  const counted: Span[] = [];
  let succeeded = 1;
  const outcomes = createOutcomes({
    unitKeptMs: () => 60_000,
    recorded(span) {
      counted.push(span);
      const rollup = emptyRollup();
      rollup.counters.succeeded = succeeded;
      return { rollup, upTime: { upMs: HOUR_MS, unlockedMs: HOUR_MS, readyMs: HOUR_MS }, lengthMs: HOUR_MS };
    },
  });
  const span = { fromMs: startMs, toMs: startMs + DAY_MS };
  expect(outcomes(span, 24, span.toMs).points).toHaveLength(24);
  expect(counted).toHaveLength(24);
  counted.length = 0;
  succeeded = 2;
  const { points } = outcomes(span, 24, span.toMs);
  expect(counted.map(({ toMs }) => toMs)).toEqual([span.toMs]);
  expect(points.map((point) => point.succeeded)).toEqual([...Array.from({ length: 23 }, () => 1), 2]);
});
