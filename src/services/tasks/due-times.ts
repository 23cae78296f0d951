import type { StepRow } from '../../store/records/tasks.ts';
import type { Clock } from '../context.ts';

/**
 * In how many milliseconds the next attempt of a step is due, at or below 0 when it is; nothing when none is to come. The wall
 * clock is asked once: when it is set while a step waits, the step neither hurries nor hangs.
 */
export function createDueTimes(clock: Clock): (step: StepRow) => number | undefined {
  const dueAtMs = new WeakMap<StepRow, number>();

  function pauseMs(step: StepRow, retryAtMs: number): number {
    const longestMs = step.backoffMs * 2 ** Math.max(0, step.attempts - step.recoveries - 1);
    return Math.min(Math.max(0, retryAtMs - clock.nowMs()), longestMs);
  }

  return (step) => {
    if (step.retryAtMs === undefined) return undefined;
    const dueMs = dueAtMs.get(step) ?? clock.monotonicMs() + pauseMs(step, step.retryAtMs);
    dueAtMs.set(step, dueMs);
    return dueMs - clock.monotonicMs();
  };
}
