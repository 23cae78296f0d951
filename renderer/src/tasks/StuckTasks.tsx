import { useState } from 'react';
import type { Task, TaskStep, UnknownResolution } from '../../../src/contract/task.ts';
import { progressWords } from '../activity/task-words.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../hooks.ts';
import { timeAgo } from '../time-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

type Props = { tasks: readonly Task[]; model: DashboardModel };

/** Tasks that cannot go on by themselves: of some step only a person can find out whether it happened. */
export function StuckTasks({ tasks, model }: Props) {
  const now = useNow(10_000);
  return (
    <section className="tasks" aria-labelledby="tasks-title">
      <h1 id="tasks-title">Did it happen?</h1>
      <p className="hint">The connection was lost during these steps. Check each one, then choose.</p>
      <ul className="cards">
        {tasks.map((task) => (
          <TaskCard key={task.taskId} task={task} now={now} model={model} />
        ))}
      </ul>
    </section>
  );
}

type UnknownStepProps = { task: Task; step: TaskStep; now: number; model: DashboardModel };

/** A step whose effect is unknown, with the person's possible decisions. */
export function UnknownStep({ task: { taskId }, step, now, model }: UnknownStepProps) {
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

function TaskCard({ task, now, model }: { task: Task; now: number; model: DashboardModel }) {
  const { name, userId, createdAt, steps } = task;
  return (
    <li className="task">
      <h2>
        <Quoted>{name}</Quoted>
      </h2>
      <p className="hint">
        <VisibleText>{userId}</VisibleText> · asked for {timeAgo(Date.parse(createdAt), now)} · {progressWords(task)}
      </p>
      {steps
        .filter(({ status }) => status === 'unknown')
        .map((step) => (
          <UnknownStep key={step.id} task={task} step={step} now={now} model={model} />
        ))}
    </li>
  );
}
