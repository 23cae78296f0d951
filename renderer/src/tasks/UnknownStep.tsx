import { useState } from 'react';
import type { Task, TaskStep, UnknownResolution } from '../../../src/contract/task.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

type Props = { task: Task; step: TaskStep; now: number; model: DashboardModel };

/** A step whose effect is unknown, with the person's possible decisions. */
export function UnknownStep({ task: { taskId }, step, now, model }: Props) {
  const { client, act } = model;
  const [isBusy, setIsBusy] = useState(false);
  const what = step.sentence ?? step.actionType;
  /** The first word counts; a second click would only be refused. */
  const say = async (resolution: UnknownResolution) => {
    if (isBusy) return;
    setIsBusy(true);
    await act(client.resolveStep(taskId, step.id, resolution), `${what}: ${RESOLVED[resolution]}`);
    setIsBusy(false);
  };
  return (
    <div className="unknown-step">
      <h3>
        <VisibleText>{what}</VisibleText> <span className="step-id">{step.id}</span>
      </h3>
      {step.startedAt !== undefined && (
        <p className="hint">sent {timeAgo(Date.parse(step.startedAt), now)}, and no word came back</p>
      )}
      <div className="unknown-answers">
        {ANSWERS.map(({ resolution, words }) => (
          <button
            key={resolution}
            type="button"
            aria-disabled={isBusy}
            aria-label={`${words}: ${visibleText(what)}`}
            onClick={() => say(resolution)}
          >
            {words}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The person's possible decisions, in the order of the buttons. */
const ANSWERS: readonly { resolution: UnknownResolution; words: string }[] = [
  { resolution: 'happened', words: 'It happened' },
  { resolution: 'did_not_happen', words: 'It did not happen' },
  { resolution: 'again', words: 'Try again' },
];

/** The state of the step after the decision. */
const RESOLVED: Record<UnknownResolution, string> = {
  happened: 'done, as you say. The task goes on.',
  did_not_happen: 'not done, as you say.',
  again: 'tried again.',
};
