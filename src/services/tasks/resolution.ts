import type { Task, UnknownResolution } from '../../contract/task.ts';
import type { StepRow } from '../../store/records/tasks.ts';
import { viewTask } from '../confirmations/task-view.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { TaskEngine } from './engine.ts';
import { endedWithout, withStep } from './step-changes.ts';

/** Records the person's statement whether an unknown step happened; the steps that waited for it continue after that. */
export function createStepResolution(context: Context, engine: TaskEngine) {
  const { store } = context;
  return (taskId: string, stepId: string, resolution: UnknownResolution): Task | Refusal => {
    const task = engine.tasks.get(taskId) ?? store.tasks.findById(taskId);
    const step = task?.steps.find(({ id }) => id === stepId);
    if (task === undefined || step === undefined)
      return { refused: 'task_not_found', detail: `There is no step "${stepId}" of a task ${taskId}.` };
    if (step.status !== 'unknown') return notUnknown(step);
    engine.change(
      task,
      (atMs) => withStep(task, resolved(step, resolution, atMs)),
      (atMs) => {
        const { userId } = task;
        const { deviceId, actionId } = step;
        const metadata = { taskId, stepId, resolution };
        store.journal.append(atMs, { kind: 'task.step_resolved', userId, deviceId, actionId, metadata });
      },
    );
    engine.pace.now(taskId);
    return viewTask(context, engine.tasks.get(taskId) ?? store.tasks.findById(taskId) ?? task);
  };
}

function resolved(step: StepRow, resolution: UnknownResolution, atMs: number): StepRow {
  switch (resolution) {
    case 'happened':
      return endedWithout(step, { status: 'success', atMs, details: 'The person says that this step happened.' });
    case 'did_not_happen': {
      const failure = { code: 'agent_unavailable', message: 'The person says that it did not happen.' } as const;
      return endedWithout(step, { status: 'failed', atMs, failure });
    }
    case 'again':
      return { ...step, status: 'pending', retryAtMs: atMs };
  }
}

function notUnknown({ id, status }: StepRow): Refusal {
  return {
    refused: 'already_terminal',
    detail: `Only of a step that is unknown can the person say what became of it; "${id}" is ${status}.`,
  };
}
