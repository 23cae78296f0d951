import type { Requester } from '../../../src/contract/console.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';

/** Problems that keep actions from running, each with the button that solves it. */
export function Banners({ model }: { model: DashboardModel }) {
  const { connection, status } = useObservable(model.feed);
  const now = useNow(30_000);
  const pausedUsers = status?.requesters.filter(({ pausedBecause }) => pausedBecause !== null) ?? [];
  return (
    <section className="banners" aria-label="Problems">
      {connection === 'lost' && (
        <p className="banner trouble">
          Handrail does not answer. What you see may be out of date; it reconnects by itself.
        </p>
      )}
      {status?.troubles?.map((trouble) => (
        <p key={trouble} className="banner trouble">
          <VisibleText>{trouble}</VisibleText>
        </p>
      ))}
      {status?.paused && (
        <p className="banner paused">
          Everything was paused{status.pausedAt && ` (${timeAgo(Date.parse(status.pausedAt), now)})`}. Nothing new is
          accepted until you resume.
        </p>
      )}
      {connection !== 'lost' && status?.agent === 'offline' && (
        <p className="banner trouble">
          <span>
            The agent stopped and could not restart, so no action can run. The log of Handrail says why it stopped.
          </span>
          <button type="button" onClick={() => model.act(model.client.restartAgent(), 'The agent is being started.')}>
            Start the agent again
          </button>
        </p>
      )}
      {pausedUsers.map((requester) => (
        <PausedUser key={requester.userId} requester={requester} model={model} />
      ))}
    </section>
  );
}

function PausedUser({ requester: { userId, pausedBecause }, model }: { requester: Requester; model: DashboardModel }) {
  return (
    <p className="banner paused">
      <span>
        <VisibleText>{userId}</VisibleText> is paused: <VisibleText>{pausedBecause ?? ''}</VisibleText>
      </span>
      <button type="button" onClick={() => model.act(model.client.resumeUser(userId), `${userId} may ask again.`)}>
        Resume {visibleText(userId)}
      </button>
    </p>
  );
}
