import { encodeTime } from 'ulid';
import type { Context } from '../context.ts';

/** The number of actions from `fromId` to `latestId`. */
type Counted = { fromId: string; latestId: string; count: number };

/** How many actions a user has submitted within the last minute and hour. */
export function createRecentCounts(context: Context) {
  const [minute, hour] = [createRecentCount(context, 60_000), createRecentCount(context, 3_600_000)];
  return { minute: minute.of, hour: hour.of };
}

/**
 * How many actions a user has submitted within the last `spanMs`. The previous count is updated by the actions that were
 * added or left the span since, so that a call costs the same for any number of actions.
 */
export function createRecentCount({ store, clock }: Context, spanMs: number) {
  const known = new Map<string, Counted>();

  function counted(userId: string, fromId: string): Counted {
    const before = known.get(userId);
    // The clock was set back, so older actions are in the span again.
    if (before === undefined || fromId < before.fromId) {
      const { count, latestId } = store.actions.countFrom(userId, fromId);
      return { fromId, latestId: latestId ?? fromId, count };
    }
    const left = store.actions.countBetween(userId, before.fromId, fromId);
    const { count, latestId } = store.actions.countAfter(userId, before.latestId);
    return { fromId, latestId: latestId ?? before.latestId, count: before.count - left + count };
  }

  return {
    of(userId: string): number {
      const now = counted(userId, `act_${encodeTime(clock.nowMs() - spanMs, 10)}`);
      known.set(userId, now);
      return now.count;
    },
  };
}
