import type { ActionRow } from '../store/actions.ts';
import type { LiveActions } from './actions/live-actions.ts';
import type { Context } from './context.ts';
import type { Refusal } from './refusal.ts';
import { timestamp } from './timestamps.ts';

const PAUSED_AT = 'pausedAtMs';

export type EmergencyStop = ReturnType<typeof createEmergencyStop>;

/** The person's stop: nothing new is taken, nothing waits, nothing goes on, until the person resumes. Survives a restart. */
export function createEmergencyStop(
  context: Context,
  parts: { live: LiveActions; denyAll(details: string): void; stop(row: ActionRow): void },
) {
  const { store, clock } = context;
  let pausedAtMs = store.settings.get(PAUSED_AT) as number | null | undefined;

  function set(atMs: number | null, kind: string): void {
    store.write('durable', () => {
      store.settings.set(PAUSED_AT, atMs);
      store.journal.append(clock.nowMs(), { kind });
    });
    pausedAtMs = atMs;
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
      if (typeof pausedAtMs !== 'number') set(clock.nowMs(), 'daemon.paused');
      // What runs is told first: its effects are what must end.
      for (const row of parts.live.all()) if (row.status !== 'awaiting_confirmation') parts.stop(row);
      parts.denyAll('The person stopped everything; nothing was done.');
    },
    resume(): void {
      if (typeof pausedAtMs === 'number') set(null, 'daemon.resumed');
    },
  };
}
