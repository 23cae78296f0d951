import { Queue } from '../queue/Queue.tsx';
import type { Room } from '../room.ts';
import { StuckTasks } from '../tasks/StuckTasks.tsx';
import { UnderWayList } from '../tasks/UnderWayList.tsx';
import { useObservable } from '../use-observable.ts';
import { fingerprint } from './fingerprint.ts';
import { NothingAsked } from './NothingAsked.tsx';
import { OutcomeList } from './OutcomeList.tsx';
import { PromptCard } from './PromptCard.tsx';
import { queueRows } from './urgency.ts';

/** The current prompt with the queue behind it, and the tasks that need the person's decision. */
export function Asks({ room }: { room: Room }) {
  const { prompt, isAnswering } = useObservable(room.desk);
  const { connection, confirmations, status, stuckTasks = [] } = useObservable(room.feed);
  // The next prompt is being fetched.
  if (prompt === undefined && confirmations.length > 0) return null;
  if (prompt === undefined) {
    return (
      <div className="answered">
        <OutcomeList room={room} isBeside={false} />
        {stuckTasks.length > 0 ? (
          <StuckTasks tasks={stuckTasks} room={room} />
        ) : (
          <NothingAsked connection={connection} isPaused={status?.paused === true} />
        )}
        <UnderWayList items={status?.underWay ?? []} room={room} />
      </div>
    );
  }
  const rows = queueRows(confirmations, prompt.id);
  return (
    <div className="asks">
      <PromptCard key={fingerprint(prompt)} confirmation={prompt} isAnswering={isAnswering} room={room} />
      <div className="beside">
        <OutcomeList room={room} isBeside />
        {rows.length + stuckTasks.length > 0 && <Queue rows={rows} stuckTasks={stuckTasks} room={room} />}
      </div>
    </div>
  );
}
