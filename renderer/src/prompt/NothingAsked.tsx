import type { FeedState } from '../feed/feed.ts';

type Props = { connection: FeedState['connection']; isPaused: boolean };

export function NothingAsked({ connection, isPaused }: Props) {
  if (connection === 'connecting') return <p className="empty">Connecting…</p>;
  return (
    <div className="empty">
      <h1>Nothing is asking</h1>
      <p>
        {isPaused
          ? 'Handrail is paused, so nobody can ask for anything.'
          : 'When a script or an agent wants something that needs your yes, it waits here for you.'}
      </p>
    </div>
  );
}
