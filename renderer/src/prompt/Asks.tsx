import { useRef } from 'react';
import { ConnectAgent } from '../connect/ConnectAgent.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { Queue } from '../queue/Queue.tsx';
import { Strangers } from '../queue/Strangers.tsx';
import { StuckTasks } from '../tasks/StuckTasks.tsx';
import { UnderWayList } from '../tasks/UnderWayList.tsx';
import { useObservable } from '../use-observable.ts';
import type { Chosen } from './Answers.tsx';
import { ExpiredList } from './ExpiredList.tsx';
import { fingerprint } from './fingerprint.ts';
import { NothingAsked } from './NothingAsked.tsx';
import { OutcomeList } from './OutcomeList.tsx';
import { PromptCard } from './PromptCard.tsx';
import { queueRows } from './urgency.ts';

/** The current prompt with the queue behind it, and the tasks that need the person's decision. */
export function Asks({ model }: { model: DashboardModel }) {
  const { prompt, isAnswering } = useObservable(model.desk);
  const { connection, confirmations, status, stuckTasks = [] } = useObservable(model.feed);
  const deniable = useRef<string | undefined>(undefined);
  const chosen = useRef<Chosen | undefined>(undefined);
  // The next prompt is being fetched.
  if (prompt === undefined && confirmations.length > 0) return null;
  if (prompt === undefined) {
    return (
      <div className="answered">
        <ExpiredList model={model} />
        <OutcomeList model={model} isBeside={false} />
        {stuckTasks.length > 0 ? (
          <StuckTasks tasks={stuckTasks} model={model} />
        ) : (
          <NothingAsked connection={connection} isPaused={status?.paused === true} />
        )}
        <ConnectAgent model={model} />
        <UnderWayList items={status?.underWay ?? []} model={model} />
      </div>
    );
  }
  const rows = queueRows(confirmations, prompt.id);
  return (
    <div className="asks">
      <PromptCard
        key={fingerprint(prompt)}
        confirmation={prompt}
        isAnswering={isAnswering}
        model={model}
        deniable={deniable}
        chosen={chosen}
      />
      <div className="beside">
        <OutcomeList model={model} isBeside />
        <Strangers waiting={confirmations} model={model} />
        {rows.length + stuckTasks.length > 0 && <Queue rows={rows} stuckTasks={stuckTasks} model={model} />}
        <ExpiredList model={model} />
      </div>
    </div>
  );
}
