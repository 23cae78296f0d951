import type { TaskRow } from '../../store/records/tasks.ts';
import type { Refusal } from '../refusal.ts';

export function taskNotFound(taskId: string): Refusal {
  return { refused: 'task_not_found', detail: `This user has no task ${taskId}.`, see: 'tasks' };
}

export function noSuchTask(taskId: string): Refusal {
  return { refused: 'task_not_found', detail: `There is no task ${taskId}. GET /api/console/tasks lists them.` };
}

export function alreadyEnded(row: TaskRow): Refusal {
  return {
    refused: 'already_terminal',
    detail: `The task has already ended: ${row.status}. There is nothing left to cancel; GET /api/tee/tasks/${row.id} says what became of its steps.`,
    facts: { taskId: row.id, taskStatus: row.status },
  };
}
