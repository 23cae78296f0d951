import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';

type Noted = Pick<Refusal, 'refused' | 'countedAs' | 'from' | 'request'>;

/** Refusals of more requesters than this within one second are counted without their names. */
const MOST_NAMED = 50;

/**
 * Counts refused requests into the journal. The first of a second has a row at once, and the others of that second share one, so
 * that a flood cannot fill the disk. Requests for a missing capability have a row for each requester, device and capability, and
 * others have one for each web page or user id that they came from.
 */
export function createRefusalNotes({ store, clock, log }: Context) {
  const pending = new Map<string, number>();
  return (refusal: Noted): void => {
    const noted = pending.size < MOST_NAMED || pending.has(keyOf(refusal)) ? refusal : unnamed(refusal);
    const key = keyOf(noted);
    const count = pending.get(key);
    if (count !== undefined) {
      pending.set(key, count + 1);
      return;
    }
    append(noted, 1);
    pending.set(key, 0);
    clock.after(1_000, () => {
      const more = pending.get(key) ?? 0;
      pending.delete(key);
      if (more > 0) append(noted, more);
    });
  };

  function append(noted: Noted, count: number): void {
    const event = refusalEvent(noted, count);
    try {
      store.write('relaxed', () => store.journal.append(clock.nowMs(), event));
    } catch (error) {
      log.error({ err: error, ...event.metadata }, 'refused requests could not be journaled');
    }
  }
}

/** The journal's event for requests that were refused alike. */
export function refusalEvent({ refused: code, countedAs, from, request }: Noted, count: number): JournalEvent {
  const as = countedAs === undefined ? {} : { as: countedAs };
  const source = from === undefined ? {} : { from };
  if (request === undefined) return { kind: 'request.refused', metadata: { code, count, ...as, ...source } };
  const { capability, ...subjects } = request;
  return { kind: 'request.refused', ...subjects, metadata: { code, count, ...as, capability } };
}

function keyOf({ refused, countedAs, from, request }: Noted): string {
  return JSON.stringify([refused, countedAs, from, request]);
}

function unnamed({ refused, countedAs }: Noted): Noted {
  return { refused, countedAs };
}
