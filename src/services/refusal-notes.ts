import type { Context } from './context.ts';
import type { Refusal } from './refusal.ts';

type Noted = Pick<Refusal, 'refused' | 'countedAs'>;

/**
 * Counts refused requests into the journal: the first of a second at once, the rest of that second together, so that a
 * flood of them cannot fill the disk. Beside the code the journal says what it is counted as, where that tells more.
 */
export function createRefusalNotes({ store, clock, log }: Context) {
  const pending = new Map<string, number>();
  return ({ refused, countedAs }: Noted): void => {
    const key = `${refused} ${countedAs}`;
    const count = pending.get(key);
    if (count !== undefined) {
      pending.set(key, count + 1);
      return;
    }
    append({ refused, countedAs }, 1);
    pending.set(key, 0);
    clock.after(1_000, () => {
      const more = pending.get(key) ?? 0;
      pending.delete(key);
      if (more > 0) append({ refused, countedAs }, more);
    });
  };

  function append({ refused: code, countedAs }: Noted, count: number): void {
    const metadata = { code, count, ...(countedAs !== undefined && { as: countedAs }) };
    try {
      store.write('relaxed', () => {
        store.journal.append(clock.nowMs(), { kind: 'request.refused', metadata });
      });
    } catch (error) {
      log.error({ err: error, ...metadata }, 'refused requests could not be journaled');
    }
  }
}
