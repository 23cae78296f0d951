import { useRef } from 'react';
import type { Confirmation, QueuedConfirmation } from '../../../src/contract/console.ts';
import { CallOffer } from '../calls/CallOffer.tsx';
import { ConnectAgent } from '../connect/ConnectAgent.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { Queue } from '../queue/Queue.tsx';
import { StuckTasks } from '../tasks/StuckTasks.tsx';
import { UnderWayList } from '../tasks/UnderWayList.tsx';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import type { Chosen } from './Answers.tsx';
import { ExpiredList } from './ExpiredList.tsx';
import { NothingAsked } from './NothingAsked.tsx';
import { OutcomeCard } from './OutcomeCard.tsx';
import { isShownStill } from './outcomes.ts';
import { PromptCard } from './PromptCard.tsx';
import { equalTo, queueRows } from './urgency.ts';

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
        {stuckTasks.length > 0 && <StuckTasks tasks={stuckTasks} model={model} />}
        <ExpiredList model={model} />
        <OutcomeList model={model} isBeside={false} />
        {stuckTasks.length === 0 && <NothingAsked connection={connection} isPaused={status?.paused === true} />}
        {connection === 'live' && <CallOffer model={model} />}
        <ConnectAgent model={model} />
        <UnderWayList items={status?.underWay ?? []} model={model} />
      </div>
    );
  }
  const equal = equalTo(prompt, confirmations);
  const rows = queueRows(confirmations, prompt);
  return (
    <div className="asks">
      <PromptCard
        key={fingerprint(prompt)}
        confirmation={prompt}
        equal={equal}
        isAnswering={isAnswering}
        model={model}
        deniable={deniable}
        chosen={chosen}
      />
      <div className="beside">
        <Strangers waiting={confirmations} model={model} />
        {rows.length + stuckTasks.length > 0 && <Queue rows={rows} stuckTasks={stuckTasks} model={model} />}
        <OutcomeList model={model} isBeside />
        <ExpiredList model={model} />
      </div>
    </div>
  );
}

/**
 * Differs whenever what a person is asked differs. The place in the queue and the times are no part of that. The card itself shows
 * anew which program asks, and how often.
 */
function fingerprint(confirmation: Confirmation): string {
  const { id, nonce, actionDigest, presenceRequired, scopes, prompt } = confirmation;
  const { place: _place, waiting: _waiting, requester, ...asked } = prompt;
  const { program: _program, ...who } = requester;
  const plan = confirmation.kind === 'plan' ? confirmation.plan : undefined;
  return JSON.stringify([id, nonce, actionDigest, presenceRequired, scopes, who, asked, plan]);
}

type Props = { waiting: readonly QueuedConfirmation[]; model: DashboardModel };

/** Denies at once everything that requesters ask for with whom the person has never dealt: any program can make up many ids. */
function Strangers({ waiting, model: { client, act } }: Props) {
  const count = waiting.filter(({ prompt }) => prompt.requester.isStranger === true).length;
  if (count < 2) return null;
  return (
    <p className="strangers">
      <span>{count} requests come from strangers: you have never allowed them anything.</span>
      <button type="button" onClick={() => act(client.denyStrangers(), 'Denied everything that strangers asked for.')}>
        Deny all from strangers
      </button>
    </p>
  );
}

/**
 * The latest answers with their outcomes. Beside a prompt they are small and the focus stays with the prompt. Without a prompt
 * they stand in its place, and the focus goes there, so that Undo is the next stop of the keyboard.
 */
function OutcomeList({ model, isBeside }: { model: DashboardModel; isBeside: boolean }) {
  const now = useNow(1_000);
  const outcomes = useObservable(model.outcomes).filter((outcome) => isShownStill(outcome, now));
  if (outcomes.length === 0) return null;
  return (
    <ul className="outcomes" aria-label="Your latest answers" tabIndex={-1} {...(!isBeside && { ref: takeFocus })}>
      {outcomes.map((outcome, index) => (
        <OutcomeCard key={outcome.confirmationId} outcome={outcome} model={model} isLarge={!isBeside && index === 0} />
      ))}
    </ul>
  );
}

function takeFocus(list: HTMLElement | null): void {
  if (document.activeElement === document.body) list?.focus({ preventScroll: true });
}
