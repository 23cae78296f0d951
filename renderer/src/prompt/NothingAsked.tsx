import type { FeedState } from '../feed/feed.ts';

type Props = { connection: FeedState['connection']; isPaused: boolean };

export function NothingAsked({ connection, isPaused }: Props) {
  if (connection === 'connecting') return <p className="empty">Connecting…</p>;
  if (connection === 'lost') {
    return (
      <div className="empty">
        <h1>Not connected</h1>
        <p>Requests that wait appear here as soon as Handrail answers again.</p>
      </div>
    );
  }
  return (
    <div className="empty">
      <h1>No requests waiting</h1>
      <p>
        {isPaused
          ? 'Handrail is paused: it takes no requests until you resume.'
          : 'A request that needs your approval appears here.'}
      </p>
    </div>
  );
}
