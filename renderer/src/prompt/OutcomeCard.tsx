import { ACTION_STATUS_WORDS, toneOf } from '../activity/activity-words.ts';
import { Results } from '../activity/Results.tsx';
import { progressWords, taskStatusWords } from '../activity/task-words.ts';
import { CloseButton } from '../CloseButton.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { addressOf } from '../pages.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import type { Outcome } from './outcomes.ts';
import { visibleText } from './visible-text.ts';

type Props = { outcome: Outcome; model: DashboardModel; isLarge: boolean };

/** The outcome of an answered request: running, done with its result, failed and why; a denial can be undone for a while. */
export function OutcomeCard({ outcome, model, isLarge }: Props) {
  const { confirmationId, sentence, decision, record } = outcome;
  return (
    <li className="outcome" data-large={isLarge}>
      <p className="outcome-title">
        {decision === 'allow' ? 'Allowed: ' : 'Denied: '}
        <VisibleText>{sentence}</VisibleText>
      </p>
      <CloseButton
        label={`Close: ${visibleText(sentence)}`}
        className="quiet outcome-close"
        onClose={() => model.outcomes.remove(confirmationId)}
      />
      <OutcomeWords outcome={outcome} />
      {isLarge && 'actionId' in record && <Results action={record} model={model} />}
      <div className="outcome-actions">
        <UndoButton outcome={outcome} model={model} />
        <a href={addressOf({ page: 'activity', subject: subjectOf(outcome), filters: filtersOf(outcome) })}>
          Show in Activity
        </a>
      </div>
    </li>
  );
}

/** How the request stands, in words. */
function OutcomeWords({ outcome: { record, decision } }: { outcome: Outcome }) {
  if (decision === 'deny') return <p className="outcome-words">Nothing was done.</p>;
  const isTask = 'steps' in record;
  const words = isTask ? taskStatusWords(record.status) : ACTION_STATUS_WORDS[record.status];
  const error = isTask ? undefined : record.error;
  return (
    <p className="outcome-words">
      <span className={`status ${toneOf(record.status)}`}>{words}</span>{' '}
      {isTask ? (
        progressWords(record)
      ) : (
        <VisibleText>{error === undefined ? record.details : `${error.message} ${error.fix ?? ''}`}</VisibleText>
      )}
    </p>
  );
}

function UndoButton({ outcome: { undoUntilMs, sentence, confirmationId }, model }: Omit<Props, 'isLarge'>) {
  const leftMs = undoUntilMs - useNow(500);
  if (leftMs <= 0) return null;
  return (
    <button
      type="button"
      aria-label={`Undo the denial: ${visibleText(sentence)}`}
      onClick={() => void model.desk.undo(confirmationId)}
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
