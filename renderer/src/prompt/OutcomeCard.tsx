import type { Reply } from '../../../src/client/call.ts';
import type { Grant } from '../../../src/contract/console.ts';
import { ACTION_STATUS_WORDS, toneOf } from '../activity/activity-words.ts';
import { Results } from '../activity/Results.tsx';
import { TaskStatusWord } from '../activity/TaskStatusWord.tsx';
import { progressWords } from '../activity/task-words.ts';
import { CloseButton } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow, useObservable } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { clockWords } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import type { Outcome } from './outcomes.ts';

type Props = { outcome: Outcome; model: DashboardModel; isLarge: boolean };

/** The outcome of an answered request: running, done with its result, failed and why; a denial can be undone for a while. */
export function OutcomeCard({ outcome, model, isLarge }: Props) {
  const { confirmationId, decision, equal, record } = outcome;
  const sentence = outcome.sentence;
  return (
    <li className="outcome" data-large={isLarge}>
      <p className="outcome-title">
        {decision === 'allow' ? 'Allowed: ' : 'Denied: '}
        <VisibleText>{sentence}</VisibleText>
        {equal.length > 0 && ` (${equal.length + 1} times)`}
      </p>
      <CloseButton
        label={`Close: ${visibleText(sentence)}`}
        className="quiet outcome-close"
        onClose={() => model.outcomes.remove(confirmationId)}
      />
      <AskedBy outcome={outcome} />
      <OutcomeWords outcome={outcome} />
      <GrantWords outcome={outcome} model={model} />
      {isLarge && 'actionId' in record && <Results action={record} model={model} />}
      <div className="outcome-actions">
        <UndoButton outcome={outcome} model={model} />
        <RevokeButton outcome={outcome} model={model} />
        <RestButton outcome={outcome} model={model} />
        <a href={addressOf({ page: 'activity', subject: subjectOf(outcome), filters: filtersOf(outcome) })}>
          Show in Activity
        </a>
      </div>
    </li>
  );
}

/** The requester, and when the person answered. */
function AskedBy({ outcome: { record, answeredAtMs } }: { outcome: Outcome }) {
  const now = useNow(30_000);
  return (
    <p className="outcome-words hint">
      <VisibleText>{record.userId}</VisibleText> ·{' '}
      <time dateTime={new Date(answeredAtMs).toISOString()}>{clockWords(answeredAtMs, now)}</time>
    </p>
  );
}

/** How the request stands, in words. */
function OutcomeWords({ outcome: { record, decision } }: { outcome: Outcome }) {
  if (decision === 'deny') return <p className="outcome-words">Nothing was done.</p>;
  if ('steps' in record)
    return (
      <p className="outcome-words">
        <TaskStatusWord {...record} /> {progressWords(record)}
      </p>
    );
  const { status, error, details } = record;
  return (
    <p className="outcome-words">
      <span className={`status ${toneOf(status)}`}>{ACTION_STATUS_WORDS[status]}</span>{' '}
      <VisibleText>{error === undefined ? details : `${error.message} ${error.fix ?? ''}`}</VisibleText>
    </p>
  );
}

/** Until when the approval lasts, where it is for more than once. */
function GrantWords({ outcome, model }: Omit<Props, 'isLarge'>) {
  const now = useNow(30_000);
  const live = useLiveGrants(outcome, model);
  if (live.length === 0) return null;
  const until = clockWords(Math.max(...live.map(({ expiresAt }) => Date.parse(expiresAt))), now);
  return <p className="outcome-words">Stays allowed until {until}.</p>;
}

function RevokeButton({ outcome, model }: Omit<Props, 'isLarge'>) {
  const live = useLiveGrants(outcome, model);
  if (live.length === 0) return null;
  return (
    <button
      type="button"
      aria-label={`Revoke the approval: ${visibleText(outcome.sentence)}`}
      onClick={() => void model.act(revokeAll(model, live), 'Revoked. The next request asks you again.')}
    >
      Revoke
    </button>
  );
}

/** The grants that the approval gave, as long as they last. */
function useLiveGrants({ grantIds }: Outcome, model: DashboardModel): Grant[] {
  const now = useNow(30_000);
  const { grants = [] } = useObservable(model.feed);
  return grants.filter(({ id, expiresAt }) => grantIds.includes(id) && Date.parse(expiresAt) > now);
}

/** Answers with the first refusal, if there is one. */
async function revokeAll({ client }: DashboardModel, grants: readonly Grant[]): Promise<Reply<undefined>> {
  const answers = await Promise.all(grants.map(({ id }) => client.revoke(id)));
  return answers.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
}

/** After a denial, the other requests of the same requester can be denied with one press. */
function RestButton({ outcome: { decision, record }, model }: Omit<Props, 'isLarge'>) {
  const { confirmations } = useObservable(model.feed);
  const { userId } = record;
  const rest = confirmations.filter(({ prompt }) => prompt.requester.userId === userId).length;
  if (decision === 'allow' || rest === 0) return null;
  const others = rest === 1 ? 'the other one' : `the other ${rest}`;
  return (
    <button
      type="button"
      aria-label={`Deny ${others} from ${visibleText(userId)}`}
      onClick={() => void model.act(model.client.denyAll(userId), `Denied everything ${userId} was asking for.`)}
    >
      Deny {others}
    </button>
  );
}

function UndoButton({ outcome, model }: Omit<Props, 'isLarge'>) {
  const leftMs = outcome.undoUntilMs - useNow(500);
  if (leftMs <= 0) return null;
  return (
    <button
      type="button"
      aria-label={`Undo the denial: ${visibleText(outcome.sentence)}`}
      onClick={() => void model.desk.undo(outcome)}
    >
      Undo ({Math.ceil(leftMs / 1_000)} s)
    </button>
  );
}

function subjectOf({ record }: Outcome): string {
  return 'steps' in record ? record.taskId : record.actionId;
}

function filtersOf({ record }: Outcome): URLSearchParams {
  return new URLSearchParams('steps' in record ? { view: 'tasks' } : {});
}
