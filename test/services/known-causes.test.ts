import { expect, test } from 'vitest';
import { createIds } from '../../src/services/context.ts';
import { createKnownCauses } from '../../src/services/guardian/known-causes.ts';
import type { Span } from '../../src/services/guardian/time-windows.ts';
import { open } from '../store/rig.ts';
import { createFakeClock } from './fake-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const quiet = () => undefined;

/** Marks of the person, and controls that fail at times which the test names. */
function start(failedAtMs: readonly number[] = []) {
  const clock = createFakeClock();
  const log = { info: quiet, warn: quiet, error: quiet };
  const startMs = clock.nowMs();
  const failuresIn = ({ fromMs, toMs }: Span) =>
    failedAtMs.filter((atMs) => startMs + atMs >= fromMs && startMs + atMs < toMs && startMs + atMs <= clock.nowMs())
      .length;
  const causes = createKnownCauses({ store: open(), clock, log, newId: createIds(clock) }, failuresIn);
  return { ...causes, clock, startMs };
}

test('a mark is for its own cause, and for windows that end after it', () => {
  const { mark, isKnown, clock } = start();
  clock.advance(HOUR_MS);
  const markedAtMs = clock.nowMs();
  mark('action_burst_peak', { untilMs: markedAtMs + HOUR_MS });
  expect(isKnown('action_burst_peak', markedAtMs + 1)).toBe(true);
  expect(isKnown('action_burst_peak', markedAtMs)).toBe(false);
  expect(isKnown('screen_capture_rate', markedAtMs + 1)).toBe(false);
});

test('controls that failed before the mark do not count, and those after it do', () => {
  const { mark, unknownFailures, clock, startMs } = start([0, HOUR_MS, HOUR_MS + 10_000, HOUR_MS + 5 * MINUTE_MS]);
  clock.advance(HOUR_MS + 20_000);
  mark('control_violations', { untilMs: startMs + 5 * HOUR_MS });
  clock.advance(HOUR_MS);
  expect(unknownFailures({ fromMs: startMs, toMs: clock.nowMs() }, 4)).toBe(1);
});

test('a window that begins after the mark counts all its failures, as does one without a mark', () => {
  const { mark, unknownFailures, clock, startMs } = start([0, 2 * HOUR_MS]);
  const span = { fromMs: startMs + HOUR_MS, toMs: startMs + 3 * HOUR_MS };
  expect(unknownFailures(span, 7)).toBe(7);
  mark('control_violations', { untilMs: startMs + 5 * HOUR_MS });
  clock.advance(3 * HOUR_MS);
  expect(unknownFailures(span, 7)).toBe(7);
});
