import { useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { ActivityDetail } from '../../../src/contract/activity.ts';
import type { StreamEvent } from '../../../src/contract/event.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useNow } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { Reason } from '../prompt/Facts.tsx';
import { CallerProgram, ChangedProgram } from '../prompt/WhoAsks.tsx';
import { subjectOfRun } from '../runs/run-words.ts';
import { ExactText, VisibleText } from '../VisibleText.tsx';
import { ACTION_STATUS_WORDS, momentWords, statusOf, toneOf, typeWords } from './activity-words.ts';
import { EvidencePictures } from './EvidencePictures.tsx';
import { Results } from './Results.tsx';
import { timelineOf } from './timeline.ts';
import { canUndo, UndoButton, undoGone, undoHint } from './UndoButton.tsx';

/** Everything that is kept about one action, up to date. */
export function ActionDetail({ actionId, model }: { actionId: string; model: DashboardModel }) {
  const { value, failure } = useLoaded(model, () => model.client.activityDetail(actionId));
  const now = useNow(30_000);
  if (value === undefined) return <p className="hint">{failure?.detail ?? 'Loading…'}</p>;
  const { action, sentence, journal } = value;
  const gone = undoGone(action.undo, now);
  return (
    <article className="detail" aria-labelledby="detail-title">
      <h2 id="detail-title">
        <VisibleText>{sentence ?? typeWords(action.actionType)}</VisibleText>
      </h2>
      <p>
        <span className={`status ${toneOf(statusOf(action))}`}>{ACTION_STATUS_WORDS[statusOf(action)]}</span>{' '}
        <VisibleText>{action.details}</VisibleText>
      </p>
      {action.error !== undefined && (
        <p className="detail-error">
          <VisibleText>{`${action.error.message} ${action.error.fix ?? ''}`}</VisibleText>
        </p>
      )}
      {action.finishedAt === undefined && <CancelButton action={action} model={model} />}
      {canUndo(action.undo, now) && (
        <div className="detail-undo">
          <UndoButton action={action} model={model} now={now} />
          <p className="hint">{undoHint(action.undo, now)}</p>
        </div>
      )}
      {gone !== undefined && <p className="hint">{gone}</p>}
      <EvidencePictures evidence={value.evidence ?? []} model={model} />
      <Results action={action} model={model} />
      <ol className="timeline" aria-label="Timeline">
        {timelineOf(value).map(({ name, at, words }) => (
          <li key={name} data-event={name}>
            <span>{words}</span> {at !== undefined && <time dateTime={at}>{momentWords(at, now)}</time>}
          </li>
        ))}
      </ol>
      <DetailFacts detail={value} />
      <JournalRows rows={journal} now={now} />
    </article>
  );
}

function DetailFacts({ detail }: { detail: ActivityDetail }) {
  const { action, device, program, rule, window } = detail;
  const { risk, reason, taskId, userId } = action;
  const theirs = addressOf({ page: 'activity', filters: new URLSearchParams({ requester: userId }) });
  const run = addressOf({ page: 'activity', subject: subjectOfRun(action.actionId) });
  return (
    <dl className="facts">
      <dt>Requester</dt>
      <dd>
        <a href={theirs}>
          <VisibleText>{userId}</VisibleText>
        </a>
        {program !== undefined && <CallerProgram program={program} />}
        {program !== undefined && <ChangedProgram program={program} />}
      </dd>
      <dt>Run</dt>
      <dd>
        <a href={run}>All that happened around it</a>
      </dd>
      <dt>Device</dt>
      <dd>
        <VisibleText>{device.name}</VisibleText>
      </dd>
      <dt>Risk</dt>
      <dd data-risk={risk.level}>
        <span className="risk">{risk.level}</span> <VisibleText>{risk.reasons.join(' ')}</VisibleText>
      </dd>
      <dt>Rule</dt>
      <dd>
        <VisibleText>{rule}</VisibleText>
      </dd>
      <dt>Arguments</dt>
      <dd>
        {detail.arguments === undefined ? (
          <span className="hint">No longer kept: arguments are forgotten 24 hours after the action ended.</span>
        ) : (
          <pre className="detail-arguments" dir="ltr">
            <ExactText>{detail.arguments}</ExactText>
          </pre>
        )}
      </dd>
      <Optional name="Window" text={window} />
      {reason !== undefined && (
        <>
          <dt>Reason</dt>
          <dd>
            <Reason>{reason}</Reason>
          </dd>
        </>
      )}
      {taskId !== undefined && (
        <>
          <dt>Task</dt>
          <dd>
            <a href={addressOf({ page: 'activity', subject: taskId, filters: new URLSearchParams({ view: 'tasks' }) })}>
              Step <VisibleText>{action.stepId ?? ''}</VisibleText> of a task
            </a>
          </dd>
        </>
      )}
    </dl>
  );
}

function Optional({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <VisibleText>{text}</VisibleText>
      </dd>
    </>
  );
}

/** Cancels an action that has not ended. A second click while the first is on its way does nothing. */
function CancelButton({ action: { actionId }, model }: { action: Pick<Action, 'actionId'>; model: DashboardModel }) {
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    if (isBusy) return;
    setBusy(true);
    await model.act(model.client.cancelAction(actionId), 'The action is being cancelled.');
    setBusy(false);
  };
  return (
    <button type="button" aria-disabled={isBusy} onClick={() => void cancel()}>
      Cancel the action
    </button>
  );
}

/** The rows of the journal about one action, folded until they are asked for. */
function JournalRows({ rows, now }: { rows: readonly StreamEvent[]; now: number }) {
  if (rows.length === 0) return null;
  return (
    <details className="journal">
      <summary>Journal: {rows.length === 1 ? '1 row' : `${rows.length} rows`}</summary>
      <ol>
        {rows.map(({ id, at, kind, metadata }) => (
          <li key={id}>
            <span className="hint">
              {id} · <time dateTime={at}>{momentWords(at, now)}</time>
            </span>{' '}
            <strong>{kind}</strong>{' '}
            <ExactText>{Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)}</ExactText>
          </li>
        ))}
      </ol>
    </details>
  );
}
