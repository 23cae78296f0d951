import { expect, test } from 'vitest';
import { emptyRollup } from '../../src/guardian/recording/rollup.ts';
import type { Context } from '../../src/services/context.ts';
import { createWindows, type Span } from '../../src/services/guardian/time-windows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('steps that ended an hour ago are read once, later ones each time', () => {
  const startMs = Date.parse('2026-05-01T00:00:00.000Z');
  const window = { fromMs: startMs, toMs: startMs + DAY_MS };
  const read: Span[] = [];
  let succeeded = 1;
  const recording = {
    recorded(span: Span) {
      read.push(span);
      const rollup = emptyRollup();
      rollup.counters.succeeded = succeeded;
      return { rollup, upTime: { upMs: HOUR_MS, unlockedMs: HOUR_MS, readyMs: HOUR_MS }, lengthMs: HOUR_MS };
    },
  };
  const windows = createWindows({ store: { recording }, clock: { nowMs: () => window.toMs } } as unknown as Context);
  expect(windows.history(window, HOUR_MS)).toHaveLength(24);
  expect(read).toHaveLength(24);
  read.length = 0;
  succeeded = 2;
  const steps = windows.history(window, HOUR_MS);
  expect(read.map(({ toMs }) => toMs)).toEqual([window.toMs]);
  expect(steps.map(({ recorded }) => recorded.rollup.counters.succeeded)).toEqual([
    ...Array.from({ length: 23 }, () => 1),
    2,
  ]);
});
