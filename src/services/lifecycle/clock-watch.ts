import type { Context } from '../context.ts';
import { journalSelf } from '../records/verification.ts';
import type { Leap } from '../steady-clock.ts';
import { untilStored } from '../work/storage-failure.ts';

/** Records each leap of the computer's clock. It may be found in the middle of a transaction, so it is recorded afterwards. */
export function createClockWatch(context: Context): (leap: Leap) => void {
  const { clock, log } = context;
  return (leap) => {
    log.warn(leap, 'the clock of the computer was set; the daemon keeps its own time until it is started again');
    clock.after(0, () =>
      untilStored(context, () => journalSelf(context, { kind: 'daemon.clock_leapt', metadata: leap })),
    );
  };
}

/** Far more than a busy minute: nobody was there to see it pass. */
const UNSEEN_MS = 3 * 60_000;

/** An event in this time has said already that the daemon is up. */
const KNOWN_MS = 50_000;

/**
 * Checks every minute whether time has passed unseen. If so, the machine slept, and the journal records the gap: time without
 * measurements is not time without events. If not, the daemon was up. That is stored outside the journal, so a daemon that is
 * killed while idle counts as up until its last minute.
 */
export function createSleepWatch({ store, clock }: Context): () => void {
  let lookedAtMs = clock.nowMs();
  return () => {
    const nowMs = clock.nowMs();
    const sinceMs = lookedAtMs;
    lookedAtMs = nowMs;
    if (nowMs - sinceMs >= UNSEEN_MS) {
      store.write('relaxed', () => store.journal.append(nowMs, { kind: 'daemon.slept', metadata: { sinceMs } }));
    } else if (nowMs - (store.recording.upNow()?.toMs ?? nowMs) >= KNOWN_MS) {
      store.write('relaxed', () => store.recording.stillUp(nowMs));
    }
  };
}
