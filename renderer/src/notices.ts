import { failureSentence } from './failure-sentence.ts';
import { createObservable, type Observable } from './observable.ts';
import type { Answer } from './wire/answer.ts';

/** One line about what has just happened. */
export type Notice = { tone: 'done' | 'problem'; text: string };

export type Notices = Observable<Notice | undefined> & {
  done(text: string): void;
  problem(text: string): void;
  /** Says what became of a call: why it did not work, or else the given text, or else nothing. */
  outcome(answer: Answer<unknown>, doneText?: string): void;
  clear(): void;
};

const SHOWN_MS = 8_000;

/** The latest notice; it goes away by itself, for it takes room from what is asked. */
export function createNotices(): Notices {
  const notice = createObservable<Notice | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (next: Notice | undefined) => {
    clearTimeout(timer);
    notice.set(next);
    if (next !== undefined) timer = setTimeout(() => notice.set(undefined), SHOWN_MS);
  };
  return {
    get: notice.get,
    subscribe: notice.subscribe,
    done: (text) => show({ tone: 'done', text }),
    problem: (text) => show({ tone: 'problem', text }),
    outcome(answer, doneText) {
      if (!answer.ok) show({ tone: 'problem', text: failureSentence(answer.failure) });
      else show(doneText === undefined ? undefined : { tone: 'done', text: doneText });
    },
    clear: () => show(undefined),
  };
}
