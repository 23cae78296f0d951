import type { Context } from '../context.ts';

const STORED = 'expectedSubjects';
const MOST = 500;

/** The insights that the person expected, with the moment of saying so. Earlier events of the same subject count as usual. */
export function createExpected({ store, clock }: Context) {
  let untilMs = new Map(entriesIn(store.settings.get(STORED)));
  return {
    /** Whether something at a time was expected. */
    is: (subject: string, atMs: number): boolean => atMs <= (untilMs.get(subject) ?? Number.NEGATIVE_INFINITY),
    /** The moment up to which it was; `undefined` where the person never said so. */
    untilMs: (subject: string): number | undefined => untilMs.get(subject),
    note(subject: string): void {
      const others = [...untilMs].filter(([each]) => each !== subject);
      const entries: [string, number][] = [...others, [subject, clock.nowMs()]];
      untilMs = new Map(entries.slice(-MOST));
      store.write('durable', () => store.settings.set(STORED, [...untilMs]));
    },
  };
}

function entriesIn(stored: unknown): [string, number][] {
  const isEntry = (each: unknown): each is [string, number] => Array.isArray(each) && typeof each[1] === 'number';
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}
