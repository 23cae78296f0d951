import type { DashboardModel } from '../dashboard-model.ts';
import { Quoted } from '../Quoted.tsx';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';

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
