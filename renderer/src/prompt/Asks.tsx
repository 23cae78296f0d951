import { Queue } from '../queue/Queue.tsx';
import type { Room } from '../room.ts';
import { useObservable } from '../use-observable.ts';
import { fingerprint } from './fingerprint.ts';
import { NothingAsked } from './NothingAsked.tsx';
import { PromptCard } from './PromptCard.tsx';
import { queueRows } from './urgency.ts';

/** The prompt on the desk, and what waits behind it. */
export function Asks({ room }: { room: Room }) {
  const { prompt, isAnswering } = useObservable(room.desk);
  const { connection, confirmations, status } = useObservable(room.feed);
  if (prompt === undefined) return <NothingAsked connection={connection} isPaused={status?.paused === true} />;
  const rows = queueRows(confirmations, prompt.id);
  return (
    <div className="asks">
      <PromptCard key={fingerprint(prompt)} confirmation={prompt} isAnswering={isAnswering} room={room} />
      {rows.length > 0 && <Queue rows={rows} room={room} />}
    </div>
  );
}
