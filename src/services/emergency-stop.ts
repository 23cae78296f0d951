import type { ActionRow } from '../store/actions.ts';
import type { LiveActions } from './actions/live-actions.ts';
import type { Context } from './context.ts';
import type { Refusal } from './refusal.ts';
import { timestamp } from './timestamps.ts';

const PAUSED_AT = 'pausedAtMs';
const RETRY_MS = 1_000;

export type EmergencyStop = ReturnType<typeof createEmergencyStop>;

/** The person's stop: nothing new is taken, nothing waits, nothing goes on, until the person resumes. Survives a restart. */
export function createEmergencyStop(
  context: Context,
  parts: { live: LiveActions; denyAll(details: string): void; stop(row: ActionRow): void; stopTasks(): void },
) {
  const { store, clock, log } = context;
  let pausedAtMs = store.settings.get(PAUSED_AT) as number | null | undefined;
  let isStored = true;

  function set(atMs: number | null, kind: string): void {
    store.write('durable', () => {
      store.settings.set(PAUSED_AT, atMs);
      store.journal.append(clock.nowMs(), { kind });
    });
    pausedAtMs = atMs;
    isStored = true;
  }

  /** Tries all of it, even where the storage takes none of it: what runs must be told. What failed is tried again. */
  function carryOut(): void {
    if (typeof pausedAtMs !== 'number') return;
    const atMs = pausedAtMs;
    const failures: unknown[] = [];
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        failures.push(error);
      }
    };
    if (!isStored) attempt(() => set(atMs, 'daemon.paused'));
    // What runs is told first: its effects are what must end.
    for (const row of parts.live.all()) if (row.status !== 'awaiting_confirmation') attempt(() => parts.stop(row));
    attempt(() => parts.denyAll('The person stopped everything; nothing was done.'));
    attempt(parts.stopTasks);
    if (failures.length === 0) return;
    clock.after(RETRY_MS, carryOutAgain);
    throw failures[0];
  }

  function carryOutAgain(): void {
    try {
      carryOut();
    } catch (error) {
      log.error({ err: error }, 'the emergency stop holds, and could not be recorded; that is tried again');
    }
  }

  return {
    pausedAt: (): string | undefined => (typeof pausedAtMs === 'number' ? timestamp(pausedAtMs) : undefined),
    refusal(): Refusal | undefined {
      return typeof pausedAtMs === 'number'
        ? {
            refused: 'paused',
            detail: 'The person has stopped everything. It goes on when the person resumes at the dashboard.',
          }
        : undefined;
    },
    pause(): void {
      if (typeof pausedAtMs !== 'number') {
        pausedAtMs = clock.nowMs();
        isStored = false;
      }
      carryOut();
    },
    /** Holds for what an earlier run left behind, too. */
    carryOut,
    resume(): void {
      if (typeof pausedAtMs !== 'number') return;
      carryOut();
      set(null, 'daemon.resumed');
    },
  };
}
