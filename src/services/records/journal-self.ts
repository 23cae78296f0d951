import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { Context } from '../context.ts';

/** Journals an event of the daemon itself, in a transaction of its own. */
export function journalSelf({ store, clock }: Pick<Context, 'store' | 'clock'>, event: JournalEvent): void {
  store.write('relaxed', () => store.journal.append(clock.nowMs(), event));
}
