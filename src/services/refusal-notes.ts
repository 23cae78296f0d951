import type { ProblemCode } from '../contract/problem.ts';
import type { Context } from './context.ts';
import type { Refusal, RefusalNote } from './refusal.ts';

type Noted = ProblemCode | RefusalNote;

/**
 * Counts refused requests into the journal: the first of a second at once, the rest of that second together, so that a
 * flood of them cannot fill the disk.
 */
export function createRefusalNotes({ store, clock, log }: Context) {
  const pending = new Map<Noted, number>();
  return ({ refused, countedAs }: Pick<Refusal, 'refused' | 'countedAs'>): void => {
    const code = countedAs ?? refused;
    const count = pending.get(code);
    if (count !== undefined) {
      pending.set(code, count + 1);
      return;
    }
    append(code, 1);
    pending.set(code, 0);
    clock.after(1_000, () => {
      const more = pending.get(code) ?? 0;
      pending.delete(code);
      if (more > 0) append(code, more);
    });
  };

  function append(code: Noted, count: number): void {
    try {
      store.write('relaxed', () => {
        store.journal.append(clock.nowMs(), { kind: 'request.refused', metadata: { code, count } });
      });
    } catch (error) {
      log.error({ err: error, code, count }, 'refused requests could not be journaled');
    }
  }
}
