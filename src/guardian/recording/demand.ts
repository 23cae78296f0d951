import type { KnownEvent } from '../../domain/journal/journal-event.ts';

const BURST_MS = 60_000;
export const REPEAT_MS = 10 * 60_000;
const KNOWN_MS = 28 * 86_400_000;
const MINUTE_MS = 60_000;

/** The minute in which a combination of user, action type and target was last asked for; kept longer than a process lives. */
export type SeenBefore = { lastAtMs(key: string): number | undefined; note(key: string, atMs: number): void };

/** How a request compares with earlier ones; the spans of time are our own. */
export type Demand = { inLastMinute: number; isRepeat: boolean; isNovel: boolean };

export type DemandMemory = {
  /** Compares a request with those before it, and remembers it. */
  requested(event: KnownEvent<'action.requested'>): Demand;
  /** Remembers requests that were refused together at a time. Answers how many requests the last minute had. */
  refused(atMs: number, count: number): number;
};

/** Remembers requests for as long as later ones are compared with them. */
export function createDemand(seen: SeenBefore): DemandMemory {
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

  return {
    requested({ atMs, userId, metadata }) {
      return {
        inLastMinute: lately(atMs, 1),
        isRepeat: isRepeat(`${metadata?.digest} ${userId}`, atMs),
        isNovel: isNovel(JSON.stringify([userId, metadata?.type, metadata?.target ?? null]), atMs),
      };
    },
    refused: lately,
  };
}

/** Counts the requests of the minute before each time. Old entries are dropped in batches, so that each request costs the same in a flood. */
function createLately(): (atMs: number, count: number) => number {
  let entries: { atMs: number; count: number }[] = [];
  let first = 0;
  let sum = 0;

  /** After the clock was set back, later times belong to no minute that ends now. */
  function dropLaterThan(atMs: number): void {
    entries = entries.slice(first).filter((entry) => entry.atMs <= atMs);
    first = 0;
    sum = entries.reduce((total, { count }) => total + count, 0);
  }

  return (atMs, count) => {
    if ((entries.at(-1)?.atMs ?? atMs) > atMs) dropLaterThan(atMs);
    entries.push({ atMs, count });
    sum += count;
    for (let oldest = entries[first]; oldest !== undefined && oldest.atMs <= atMs - BURST_MS; oldest = entries[first]) {
      sum -= oldest.count;
      first += 1;
    }
    if (first > 1_000 && first > entries.length / 2) [entries, first] = [entries.slice(first), 0];
    return sum;
  };
}
