import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { Context } from '../context.ts';

/** Writes down what the daemon itself did or met, in a transaction of its own. */
export function journalSelf({ store, clock }: Pick<Context, 'store' | 'clock'>, event: JournalEvent): void {
  store.write('relaxed', () => store.journal.append(clock.nowMs(), event));
}
