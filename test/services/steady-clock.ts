import { createSteadyClock, type SteadyClock } from '../../src/services/steady-clock.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** The daemon's clock on a computer whose clock the test sets, and which it lets sleep. */
export type FakeComputer = {
  clock: FakeClock & Pick<SteadyClock, 'aheadMs' | 'observedBy'>;
  /** Sets the computer's clock on, or back. */
  leap(ms: number): void;
  /** For so long the monotonic clock stands still. */
  sleep(ms: number): void;
  wallMs(): number;
};

export function createFakeComputer(): FakeComputer {
  const computer = createFakeClock();
  let asleepMs = 0;
  const leap = (ms: number) => computer.setWallClock(computer.nowMs() + ms);
  const steady = createSteadyClock({ ...computer, uptimeMs: () => computer.monotonicMs() + asleepMs });
  return {
    clock: { ...computer, ...steady },
    leap,
    sleep(ms) {
      asleepMs += ms;
      leap(ms);
    },
    wallMs: computer.nowMs,
  };
}
