import type { ActionRow } from '../../store/records/actions.ts';

/** For the journal: the step of which task an action is an attempt, if it is one. */
export function stepFacts({ taskId, stepId }: Pick<ActionRow, 'taskId' | 'stepId'>): {
  stepId?: string;
  taskId?: string;
} {
  return taskId === undefined || stepId === undefined ? {} : { stepId, taskId };
}
