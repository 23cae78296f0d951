import { uptime } from 'node:os';
import { type Clock, systemClock } from './context.ts';

/** By how much the computer's clock was set, and the time that it told then. */
export type Leap = { byMs: number; wallMs: number };

/** `uptimeMs`: since the computer was started, with the time for which it slept. */
type Sources = Clock & { uptimeMs(): number };

export type SteadyClock = Clock & {
  aheadMs(): number;
  /** Names the one that is told of each leap. It is called inside `nowMs`, so it must not read or store anything at once. */
  observedBy(observer: (leap: Leap) => void): void;
};

/** Larger than the steps by which the time is kept right, and than the precision of `uptimeMs`. */
const LEAP_MS = 2_000;

/**
 * A clock whose `nowMs` follows the computer's clock through sleep but ignores its leaps: when a person or the network sets the
 * computer's clock, this one goes on as before. So terms keep their real length while the daemon runs.
 */
export function createSteadyClock(
  sources: Sources = { ...systemClock, uptimeMs: () => uptime() * 1_000 },
): SteadyClock {
  const { monotonicMs, uptimeMs, after } = sources;
  let aheadMs = 0;
  let last = { wallMs: sources.nowMs(), monotonicMs: monotonicMs() };
  let asleepMs = uptimeMs() - last.monotonicMs;
  let observe: (leap: Leap) => void = () => undefined;

  /** For how long the computer slept since the last look. Some systems count that in `monotonicMs`, too. */
  function sleptMs(): number {
    const before = asleepMs;
    asleepMs = uptimeMs() - last.monotonicMs;
    return Math.max(0, asleepMs - before);
  }

  function nowMs(): number {
    const now = { wallMs: sources.nowMs(), monotonicMs: monotonicMs() };
    const unexplainedMs = now.wallMs - last.wallMs - (now.monotonicMs - last.monotonicMs);
    last = now;
    if (Math.abs(unexplainedMs) > LEAP_MS) follow(Math.round(unexplainedMs - sleptMs()));
    return now.wallMs - aheadMs;
  }

  function follow(byMs: number): void {
    if (Math.abs(byMs) <= LEAP_MS) return;
    aheadMs += byMs; // guard T1-1
    observe({ byMs, wallMs: last.wallMs });
  }

  return {
    nowMs,
    monotonicMs,
    after,
    aheadMs: () => aheadMs,
    observedBy(observer) {
      observe = observer;
    },
  };
}

let latest = { atMs: Number.NaN, text: '' };

/** ISO 8601, UTC, with milliseconds. A record has the same time in several places, so the latest one is remembered. */
export function timestamp(atMs: number): string;
export function timestamp(atMs: number | undefined): string | undefined;
export function timestamp(atMs: number | undefined): string | undefined {
  if (atMs === undefined) return undefined;
  if (latest.atMs !== atMs) latest = { atMs, text: new Date(atMs).toISOString() };
  return latest.text;
}

/** The end of a term by the computer's clock of now, which the person's page compares it with. */
export function termTimestamp({ aheadMs }: Pick<Clock, 'aheadMs'>, atMs: number): string {
  return timestamp(atMs + (aheadMs?.() ?? 0));
}
