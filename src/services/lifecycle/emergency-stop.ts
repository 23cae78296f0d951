import { RENEWAL } from '../../store/database/renewal.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import { createSlices, type Piece } from '../work/slices.ts';

const PAUSED_AT = 'pausedAtMs';

export type EmergencyStop = ReturnType<typeof createEmergencyStop>;

type Parts = {
  live: LiveActions;
  /** Tells the agent to stop what it performs. The message has left when it returns. */
  tell(row: ActionRow): void;
  /** The pieces of work that end every action, prompt and task that has not ended. */
  endings(): Iterable<Piece>;
};

/**
 * The person's stop: nothing new is taken, nothing waits, nothing goes on, until the person resumes. Survives a restart.
 * It holds at once: nothing is sent and no prompt can be allowed. Up to ten thousand unfinished steps are then recorded
 * as ended, in slices. None of them goes on: the stop is lifted only after the last of them has ended.
 */
export function createEmergencyStop(context: Context, parts: Parts) {
  const { store, clock, log } = context;
  let pausedAtMs = store.settings.get(PAUSED_AT) as number | null | undefined;
  let isStored = true;
  /** Calls that wait to resume until everything has ended. */
  let resuming: PromiseWithResolvers<void> | undefined;
  const slices = createSlices(context, { done: ended, failed });

  const isPaused = () => typeof pausedAtMs === 'number';

  function set(atMs: number | null, kind: 'daemon.paused' | 'daemon.resumed'): void {
    store.write('durable', () => {
      store.settings.set(PAUSED_AT, atMs);
      // The person has looked at the losses.
      if (atMs === null && store.settings.get(RENEWAL) != null) store.settings.set(RENEWAL, null);
      store.journal.append(clock.nowMs(), { kind });
    });
    pausedAtMs = atMs;
    isStored = true;
  }

  function* pieces(): Generator<Piece> {
    if (!isStored && typeof pausedAtMs === 'number') {
      const atMs = pausedAtMs;
      yield () => set(atMs, 'daemon.paused');
    }
    yield* parts.endings();
  }

  function ended(): void {
    const waiting = resuming;
    resuming = undefined;
    if (waiting === undefined) return;
    try {
      set(null, 'daemon.resumed');
      waiting.resolve();
    } catch (error) {
      waiting.reject(error);
    }
  }

  function failed(error: unknown): void {
    log.error({ err: error }, 'the emergency stop holds, but could not be recorded; it is tried again');
    resuming?.reject(error);
    resuming = undefined;
  }

  return {
    pausedAt: (): string | undefined => (typeof pausedAtMs === 'number' ? timestamp(pausedAtMs) : undefined),
    isPaused,
    refusal(): Refusal | undefined {
      return isPaused()
        ? {
            refused: 'paused',
            detail: 'The person has stopped everything. It goes on when the person resumes at the dashboard.',
          }
        : undefined;
    },
    /** Holds also where the storage does not take it, and is stored as soon as it can be. */
    pause(): void {
      resuming?.resolve();
      resuming = undefined;
      if (isPaused()) {
        if (slices.isBusy()) slices.begin();
        return;
      }
      pausedAtMs = clock.nowMs();
      isStored = false;
      for (const row of parts.live.all()) if (isToBeTold(row)) parts.tell(row);
      slices.begin(pieces());
    },
    /** Ends what an earlier run left behind, if the stop holds since then. */
    carryOut(): void {
      if (isPaused()) slices.begin(pieces());
    },
    /** Lifts the stop as soon as everything has ended that was there when the person pressed stop. */
    async resume(): Promise<void> {
      if (!isPaused()) return;
      if (resuming === undefined && slices.isBusy()) slices.hurry();
      if (!slices.isBusy()) return set(null, 'daemon.resumed');
      resuming ??= Promise.withResolvers();
      await resuming.promise;
    },
  };
}

/** A requester that cancelled it has told the agent already. */
function isToBeTold({ status, cancelRequestedAtMs }: ActionRow): boolean {
  return status === 'running' && cancelRequestedAtMs === undefined;
}
