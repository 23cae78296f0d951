import { useState } from 'react';
import type { Task, TaskStep } from '../../../src/contract/task.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useNow } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { Mend } from '../procedures/Mend.tsx';
import { UnknownStep } from '../tasks/StuckTasks.tsx';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { momentWords, toneOf, tookWords, typeWords } from './activity-words.ts';
import { TaskStatusWord } from './TaskStatusWord.tsx';
import { progressWords, stepStatusWords } from './task-words.ts';

/** A task as its graph, layer by layer: every step with its state, and why it was denied, skipped or failed. */
export function TaskDetail({ taskId, model }: { taskId: string; model: DashboardModel }) {
  const { value, failure } = useLoaded(model, () => model.client.task(taskId));
  const now = useNow(30_000);
  if (value === undefined) return <p className="hint">{failure?.detail ?? 'Loading…'}</p>;
  const { name, procedure, userId, status, createdAt, durationMs, finishedAt } = value;
  return (
    <article className="detail" aria-labelledby="detail-title">
      <h2 id="detail-title">
        {procedure !== undefined && 'Procedure '}
        <Quoted>{procedure ?? name}</Quoted>
      </h2>
      <p>
        <TaskStatusWord {...value} /> {progressWords(value)}
      </p>
      <p className="hint">
        Requested by <VisibleText>{userId}</VisibleText>, {momentWords(createdAt, now)}
        {durationMs !== undefined && ` · took ${tookWords(durationMs)}`}
      </p>
      {finishedAt === undefined && <CancelTask task={value} model={model} />}
      {procedure !== undefined && status === 'failed' && <Mend key={taskId} taskId={taskId} model={model} />}
      <ol className="graph" aria-label="Steps of the task">
        {layersOf(value.steps).map((layer) => (
          <li key={layer.map(({ id }) => id).join(' ')} className="layer">
            {layer.map((step) => (
              <StepCard key={step.id} task={value} step={step} now={now} model={model} />
            ))}
          </li>
        ))}
      </ol>
    </article>
  );
}

type StepProps = { task: Task; step: TaskStep; now: number; model: DashboardModel };

function StepCard({ task, step, now, model }: StepProps) {
  const { id, actionType, status, dependsOn, details, error, actionId, attempts } = step;
  if (status === 'unknown') return <UnknownStep task={task} step={step} now={now} model={model} />;
  return (
    <div className="step-card" data-tone={toneOf(status)}>
      <p>
        <code className="step-id">{id}</code>{' '}
        {actionId === undefined ? (
          typeWords(actionType)
        ) : (
          <a href={addressOf({ page: 'activity', subject: actionId })}>{typeWords(actionType)}</a>
        )}
      </p>
      <p>
        <span className={`status ${toneOf(status)}`}>{stepStatusWords(status)}</span>
        {attempts > 1 && <span className="hint"> after {attempts} attempts</span>}
      </p>
      {dependsOn.length > 0 && (
        <p className="hint">
          after <code>{dependsOn.join(', ')}</code>
        </p>
      )}
      {(error !== undefined || details !== undefined) && (
        <p className="hint">
          <VisibleText>{error === undefined ? (details ?? '') : `${error.message} ${error.fix ?? ''}`}</VisibleText>
        </p>
      )}
    </div>
  );
}

function CancelTask({ task: { taskId }, model }: { task: Task; model: DashboardModel }) {
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    if (isBusy) return;
    setBusy(true);
    await model.act(model.client.cancelTask(taskId), 'The task is being cancelled.');
    setBusy(false);
  };
  return (
    <button type="button" aria-disabled={isBusy} onClick={() => void cancel()}>
      Cancel the task
    </button>
  );
}

type Node = { id: string; dependsOn: readonly string[] };

/**
 * Steps by their depth in the graph: the first layer depends on nothing, and each step stands one layer below the deepest step
 * it depends on. Dependencies that are not among the steps are ignored.
 */
export function layersOf<Step extends Node>(steps: readonly Step[]): Step[][] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const depths = new Map<string, number>();
  const depthOf = (step: Step): number => {
    const known = depths.get(step.id);
    if (known !== undefined) return known;
    const above = step.dependsOn.flatMap((id) => byId.get(id) ?? []);
    const depth = above.length === 0 ? 0 : 1 + Math.max(...above.map(depthOf));
    depths.set(step.id, depth);
    return depth;
  };
  const layers: Step[][] = [];
  for (const step of steps) {
    const depth = depthOf(step);
    const layer = layers[depth] ?? [];
    layers[depth] = layer;
    layer.push(step);
  }
  return Array.from(layers, (layer) => layer ?? []);
}
