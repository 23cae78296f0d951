import { useState } from 'react';
import { CloseButton } from '../CloseButton.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { Quoted } from '../Quoted.tsx';
import { timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import type { Expired } from './expired.ts';

const MOST_SHOWN = 8;

/** The requests that expired without an answer: one line, which unfolds, until the person closes it. */
export function ExpiredList({ model }: { model: Pick<DashboardModel, 'expired'> }) {
  const expired = useObservable(model.expired);
  const [isOpen, setOpen] = useState(false);
  if (expired.length === 0) return null;
  return (
    <section className="expired" role="status" aria-label="Requests that expired unanswered">
      <h2>
        {expired.length === 1 ? '1 request' : `${expired.length} requests`} expired unanswered.{' '}
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'} {expired.length === 1 ? 'it' : 'them'}
        </button>
      </h2>
      <CloseButton
        label="Close the list of expired requests"
        className="quiet outcome-close"
        onClose={model.expired.close}
      />
      {isOpen && <Requests expired={expired} />}
    </section>
  );
}

function Requests({ expired }: { expired: readonly Expired[] }) {
  const now = useNow(30_000);
  const more = expired.length - MOST_SHOWN;
  return (
    <>
      <ul>
        {expired.slice(0, MOST_SHOWN).map(({ id, userId, sentence, atMs }) => (
          <li key={id}>
            <span className="expired-sentence">
              <VisibleText>{sentence}</VisibleText>
            </span>
            <span className="hint">
              <Quoted>{userId}</Quoted> · {timeAgo(atMs, now)}
            </span>
          </li>
        ))}
      </ul>
      <p className="hint">
        {more > 0 && `and ${more} more. `}Nothing was done.{' '}
        <a href="#/activity?view=actions&status=expired">Show in Activity</a>
      </p>
    </>
  );
}
