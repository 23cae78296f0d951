import { type ReactNode, useState } from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { Quoted } from '../Quoted.tsx';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { type Problem, useProblems } from './problems.tsx';

/** The problems that keep actions from running, in one line: the only one with the button that solves it, or several in a few words. */
export function Banners({ model }: { model: DashboardModel }) {
  const now = useNow(30_000);
  const problems = useProblems(model, now);
  const [isOpen, setOpen] = useState(false);
  const isFolded = problems.length > 1;
  return (
    <section className="banners" aria-label="Problems">
      {isFolded && (
        <Banner tone={problems.some(({ tone }) => tone === 'trouble') ? 'trouble' : 'paused'}>
          <span>{shortWords(problems)}</span>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Hide the problems' : 'Show the problems'}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </button>
        </Banner>
      )}
      {(!isFolded || isOpen) &&
        problems.map(({ key, tone, words, button }) => (
          <Banner key={key} tone={tone}>
            <span>{words}</span>
            {button}
          </Banner>
        ))}
    </section>
  );
}

function Banner({ tone, children }: { tone: Problem['tone']; children: ReactNode }) {
  return <p className={`banner ${tone}`}>{children}</p>;
}

/** Such as `Agent stopped · 2 paused`. */
function shortWords(problems: readonly Problem[]): string {
  const counts = new Map<string, number>();
  for (const { short } of problems) counts.set(short, (counts.get(short) ?? 0) + 1);
  return [...counts].map(([short, count]) => short.replace('#', String(count))).join(' · ');
}

/** Says on every other page that a request waits, and leads to it. */
export function RequestBar({ model, onReview }: { model: DashboardModel; onReview(): void }) {
  const { confirmations, stuckTasks = [] } = useObservable(model.feed);
  const [first] = confirmations;
  const others = confirmations.length + stuckTasks.length - 1;
  if (others < 0) return null;
  return (
    <p className="banner request-bar" role="alert">
      <span>
        {first === undefined ? (
          'A task needs your answer'
        ) : (
          <>
            <Quoted>{first.prompt.requester.userId}</Quoted> wants to:{' '}
            <VisibleText>{first.prompt.sentence}</VisibleText>
          </>
        )}
        {others > 0 && ` (and ${others} more)`}
      </span>
      <button type="button" className="primary" onClick={onReview}>
        Review
      </button>
    </p>
  );
}
