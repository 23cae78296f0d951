import type { Failure, Reply } from '../../src/client/call.ts';
import { createObservable, type Observable } from './observable.ts';

/** One line about the latest outcome, or a piece of news. */
export type Notice = { tone: 'done' | 'problem' | 'news'; text: string };

export type Notices = Observable<Notice | undefined> & {
  done(text: string): void;
  problem(text: string): void;
  /** Says what became of a call: why it did not work, or else the given text, or else nothing. */
  outcome(answer: Reply<unknown>, doneText?: string): void;
  /** Shows news until the person closes it; a notice of an outcome is shown before it. */
  news(text: string, closed: () => void): void;
  clear(): void;
};

const SHOWN_MS = 8_000;

/** The latest notice. A notice of an outcome disappears by itself, because it takes space from the prompts. */
export function createNotices(): Notices {
  const notice = createObservable<Notice | undefined>(undefined);
  let news: { notice: Notice; closed: () => void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (next: Notice | undefined) => {
    clearTimeout(timer);
    timer = next === undefined ? undefined : setTimeout(() => show(undefined), SHOWN_MS);
    notice.set(next ?? news?.notice);
  };
  return {
    get: notice.get,
    subscribe: notice.subscribe,
    done: (text) => show({ tone: 'done', text }),
    problem: (text) => show({ tone: 'problem', text }),
    outcome(answer, doneText) {
      // guard E2-49
      if (!answer.ok) show({ tone: 'problem', text: failureSentence(answer.failure) });
      else show(doneText === undefined ? undefined : { tone: 'done', text: doneText });
    },
    news(text, closed) {
      news = { notice: { tone: 'news', text }, closed };
      if (timer === undefined) notice.set(news.notice);
    },
    clear() {
      const read = notice.get() === news?.notice ? news : undefined;
      if (read !== undefined) news = undefined;
      show(undefined);
      read?.closed();
    },
  };
}

/** A failure in words for a person; the daemon's detail where no better sentence exists. */
function failureSentence({ code, detail }: Failure): string {
  return SENTENCES[code] ?? detail;
}

const SENTENCES: Partial<Record<Failure['code'], string>> = {
  unreachable: 'Handrail does not answer. Nothing was decided. Trying again…',
  confirmation_stale: 'The request changed since you saw it. Read it again, then answer.',
  confirmation_resolved: 'Already answered. Your answer changed nothing.',
  confirmation_expired: 'The request expired. Nothing was done.',
  confirmation_not_ready: 'Too early: nothing was decided. Read the request, then answer.',
  not_found: 'That no longer exists. Nothing was changed.',
  paused: 'Handrail is paused. Resume it first.',
};
