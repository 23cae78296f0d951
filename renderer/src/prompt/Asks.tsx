import { useRef, useState } from 'react';
import type { Confirmation, QueuedConfirmation } from '../../../src/contract/console.ts';
import type { Task } from '../../../src/contract/task.ts';
import { CallOffer } from '../calls/Calls.tsx';
import { ConnectAgent } from '../connect/ConnectAgent.tsx';
import { CloseButton } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import type { FeedState } from '../feed/feed.ts';
import { useNow, useObservable } from '../hooks.ts';
import { StuckTasks } from '../tasks/StuckTasks.tsx';
import { UnderWayList } from '../tasks/UnderWayList.tsx';
import { countdown, timeAgo } from '../time-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import type { Chosen } from './Answers.tsx';
import { OutcomeCard } from './OutcomeCard.tsx';
import { type Expired, isShownStill } from './outcomes.ts';
import { PromptCard } from './PromptCard.tsx';
import { equalTo, type QueueRow, queueRows } from './urgency.ts';

type Props = { rows: readonly QueueRow[]; stuckTasks: readonly Task[]; model: DashboardModel };

/** The queue behind the current prompt. Prompts are answered in order; only a flood can be denied from here. */
function Queue({ rows, stuckTasks, model }: Props) {
  return (
    <aside className="queue" aria-labelledby="queue-title">
      <h2 id="queue-title">Also waiting</h2>
      <ol>
        {rows.map((row) =>
          row.kind === 'flood' ? (
            <FloodRow key={`user ${row.userId}`} userId={row.userId} waiting={row.confirmations} model={model} />
          ) : (
            <WaitingRow key={row.confirmation.id} confirmation={row.confirmation} count={row.count} />
          ),
        )}
        {stuckTasks.map((task) => (
          <li key={task.taskId} className="waiting">
            <span className="waiting-sentence">
              Did it happen? <Quoted>{task.name}</Quoted>
            </span>
            <span className="hint">
              A task of <VisibleText>{task.userId}</VisibleText> needs your answer after this.
            </span>
          </li>
        ))}
      </ol>
    </aside>
  );
}

function WaitingRow({
  confirmation: { prompt, expiresAt },
  count,
}: {
  confirmation: QueuedConfirmation;
  count: number;
}) {
  const now = useNow(1_000);
  return (
    <li className="waiting" data-risk={prompt.risk.level}>
      <span className="waiting-sentence">
        <VisibleText>{prompt.sentence}</VisibleText>
      </span>
      <span className="hint">
        {count > 1 && `${count} times · `}
        {prompt.risk.level} risk · <VisibleText>{prompt.requester.userId}</VisibleText> ·{' '}
        {countdown(Date.parse(expiresAt) - now)} left
      </span>
    </li>
  );
}

type FloodProps = { userId: string; waiting: readonly QueuedConfirmation[]; model: DashboardModel };

/**
 * The many requests of one requester, with a line for each, folded. One press denies the ticked ones. Each approval needs its own
 * prompt, so nothing is allowed here.
 */
function FloodRow({ userId, waiting, model }: FloodProps) {
  const { client, act, desk } = model;
  const [isOpen, setOpen] = useState(false);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const chosen = waiting.filter(({ id }) => !without.has(id));
  const isAll = chosen.length === waiting.length;
  const toggle = (id: string) =>
    setWithout(new Set(without.has(id) ? [...without].filter((one) => one !== id) : [...without, id]));
  const deny = () =>
    isAll ? act(client.denyAll(userId), `Denied everything ${userId} was asking for.`) : desk.denyEach(chosen);
  return (
    <li className="flood">
      <span className="waiting-sentence">
        <VisibleText>{userId}</VisibleText> asks for {waiting.length} things at once
      </span>
      {isOpen && (
        <ul className="ticked-list" aria-label={`Requests of ${visibleText(userId)}`}>
          {waiting.map(({ id, prompt: { sentence } }) => (
            <li key={id}>
              <label>
                <input type="checkbox" checked={!without.has(id)} onChange={() => toggle(id)} />{' '}
                <VisibleText>{sentence}</VisibleText>
              </label>
            </li>
          ))}
        </ul>
      )}
      <span className="flood-answers">
        <button type="button" disabled={chosen.length === 0} onClick={() => void deny()}>
          Deny {isAll ? `all ${waiting.length}` : chosen.length}
        </button>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : 'Choose'}
        </button>
        <button type="button" onClick={() => act(client.pauseUser(userId))}>
          Pause {visibleText(userId)}
        </button>
      </span>
    </li>
  );
}

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

type StrangersProps = { waiting: readonly QueuedConfirmation[]; model: DashboardModel };

/** Denies at once everything that requesters ask for with whom the person has never dealt: any program can make up many ids. */
function Strangers({ waiting, model: { client, act } }: StrangersProps) {
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

type NothingAskedProps = { connection: FeedState['connection']; isPaused: boolean };

function NothingAsked({ connection, isPaused }: NothingAskedProps) {
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

const MOST_SHOWN = 8;

/** The requests that expired without an answer: one line, which unfolds, until the person closes it. */
function ExpiredList({ model }: { model: Pick<DashboardModel, 'expired'> }) {
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
