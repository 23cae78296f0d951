import type { RecordedEvent } from './recorded-event.ts';

const BURST_MS = 60_000;
export const REPEAT_MS = 10 * 60_000;
const KNOWN_MS = 28 * 86_400_000;
const MINUTE_MS = 60_000;

/** The minute in which a combination of user, action type and target was last asked for; kept longer than a process lives. */
export type SeenBefore = { lastAtMs(key: string): number | undefined; note(key: string, atMs: number): void };

/** What a request is, given those before it; the spans of time are our own. */
export type Demand = { inLastMinute: number; isRepeat: boolean; isNovel: boolean };

/** Remembers requests for as long as later ones are compared with them. */
export function createDemand(seen: SeenBefore): (request: RecordedEvent) => Demand {
  const lately = createLately();
  const digests = new Map<string, number>();

  function isRepeat(key: string, atMs: number): boolean {
    const before = digests.get(key);
    digests.delete(key);
    digests.set(key, atMs);
    for (const [oldest, lastAtMs] of digests) {
      if (atMs - lastAtMs <= REPEAT_MS) break;
      digests.delete(oldest);
    }
    return before !== undefined && Math.abs(atMs - before) <= REPEAT_MS;
  }

  function isNovel(key: string, atMs: number): boolean {
    const before = seen.lastAtMs(key);
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    if (before !== minuteMs) seen.note(key, minuteMs);
    return before === undefined || atMs - before > KNOWN_MS;
  }

  return ({ atMs, userId, metadata }) => {
    return {
      inLastMinute: lately(atMs),
      isRepeat: isRepeat(JSON.stringify([userId, metadata?.digest]), atMs),
      isNovel: isNovel(JSON.stringify([userId, metadata?.type, metadata?.target ?? null]), atMs),
    };
  };
}

/** Counts requests of the minute that ends with each; what is too old is dropped once, so that a flood costs no more each. */
function createLately(): (atMs: number) => number {
  let times: number[] = [];
  let first = 0;
  return (atMs) => {
    // A clock that was set back leaves times in the future, which belong to no minute that ends now.
    if ((times.at(-1) ?? atMs) > atMs) [times, first] = [times.slice(first).filter((earlier) => earlier <= atMs), 0];
    times.push(atMs);
    while ((times[first] ?? atMs) <= atMs - BURST_MS) first += 1;
    if (first > 1_000 && first > times.length / 2) [times, first] = [times.slice(first), 0];
    return times.length - first;
  };
}
