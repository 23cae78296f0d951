import type { PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { untilStored } from '../work/storage-failure.ts';
import { journalIds } from './journal-ids.ts';

const A_MINUTE = { spanMs: 60_000, calls: 6 };
const AN_HOUR = { spanMs: 3_600_000, calls: 20 };

/**
 * Limits how often a person is called: at most 6 times a minute and 20 times an hour. Further prompts wait in the queue
 * without a call, and expire like any other.
 */
export function createCalls(context: Context) {
  const { store, clock } = context;
  const called = new Map<string, number>();
  let callsAtMs: number[] = [];
  let stopTimer: (() => void) | undefined;

  /** Milliseconds until the next call is allowed; 0 for now. */
  function waitMs(): number {
    const nowMs = clock.monotonicMs();
    callsAtMs = callsAtMs.filter((atMs) => nowMs - atMs < AN_HOUR.spanMs);
    const waits = [A_MINUTE, AN_HOUR].map(({ spanMs, calls }) => {
      const oldest = callsAtMs.filter((atMs) => nowMs - atMs < spanMs).at(-calls);
      return oldest === undefined ? 0 : oldest + spanMs - nowMs;
    });
    return Math.max(...waits);
  }

  function call(row: PendingConfirmation): void {
    const atMs = clock.nowMs();
    called.set(row.id, atMs);
    callsAtMs.push(clock.monotonicMs());
    untilStored(context, () =>
      store.write('relaxed', () =>
        store.journal.append(clock.nowMs(), { kind: 'confirmation.called', ...journalIds(row) }),
      ),
    );
  }

  function consider(first: () => PendingConfirmation | undefined): void {
    stopTimer?.();
    stopTimer = undefined;
    const row = first();
    if (row === undefined) called.clear();
    if (row === undefined || called.has(row.id)) return;
    const delayMs = waitMs();
    if (delayMs === 0) call(row);
    else stopTimer = clock.after(delayMs, () => consider(first));
  }

  return {
    /** Calls the person for the first prompt in the queue, at once or as soon as the limits allow it. */
    consider,
    calledAtMs: (id: string): number | undefined => called.get(id),
  };
}
