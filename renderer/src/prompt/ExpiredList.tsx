import { CloseButton } from '../CloseButton.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';

const MOST_SHOWN = 8;

/** The requests that expired without an answer, by name, until the person closes the list. */
export function ExpiredList({ model }: { model: Pick<DashboardModel, 'expired'> }) {
  const expired = useObservable(model.expired);
  const now = useNow(30_000);
  if (expired.length === 0) return null;
  const more = expired.length - MOST_SHOWN;
  return (
    <section className="expired" role="status" aria-label="Requests that expired without your answer">
      <h2>{expired.length === 1 ? 'A request expired' : `${expired.length} requests expired`} without your answer</h2>
      <CloseButton
        label="Close the list of expired requests"
        className="quiet outcome-close"
        onClose={model.expired.close}
      />
      <ul>
        {expired.slice(0, MOST_SHOWN).map(({ id, userId, sentence, atMs }) => (
          <li key={id}>
            <span className="expired-sentence">
              <VisibleText>{sentence}</VisibleText>
            </span>
            <span className="hint">
              “<VisibleText>{userId}</VisibleText>” · {timeAgo(atMs, now)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="hint">and {more} more</p>}
      <p className="hint">
        Nothing was done. Asking again is possible.{' '}
        <a href="#/activity?view=actions&status=expired">Show in Activity</a>
      </p>
    </section>
  );
}
