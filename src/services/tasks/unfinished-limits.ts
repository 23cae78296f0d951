import type { TaskRow } from '../../store/records/tasks.ts';
import type { Refusal } from '../refusal.ts';
import { limitFor } from '../work/reserve.ts';

/** All tasks that have not ended are in memory, and the emergency stop has to end every step of them. */
export const MOST_TASKS = { ofUser: 20, inAll: 160 };
export const MOST_STEPS = { ofUser: 1_000, inAll: 8_000 };

type Task = { userId: string; steps: readonly unknown[] };

/** Why a task is not taken until others have ended, if so. `unfinished`: all tasks that have not ended. */
export function tooMuchUnfinished(
  { userId, steps }: Task,
  unfinished: readonly Pick<TaskRow, 'userId' | 'steps'>[],
  isKnown: boolean,
): Refusal | undefined {
  const ofUser = countOf(unfinished.filter((task) => task.userId === userId));
  const inAll = countOf(unfinished);
  const most = { tasks: limitFor(isKnown, MOST_TASKS.inAll), steps: limitFor(isKnown, MOST_STEPS.inAll) };
  const hasRoom =
    ofUser.tasks < MOST_TASKS.ofUser &&
    inAll.tasks < most.tasks &&
    ofUser.steps + steps.length <= MOST_STEPS.ofUser &&
    inAll.steps + steps.length <= most.steps;
  if (hasRoom) return undefined;
  return {
    refused: 'too_many_pending',
    detail: `${words(ofUser)} of this user and ${words(inAll)} in all have not ended, and this task has ${steps.length} steps; at most ${words({ tasks: MOST_TASKS.ofUser, steps: MOST_STEPS.ofUser })} of a user and ${words(most)} in all are taken. Wait for some of them to end, or cancel them.`,
    retryAfterSeconds: 30,
  };
}

type Count = { tasks: number; steps: number };

function countOf(tasks: readonly Pick<TaskRow, 'steps'>[]): Count {
  return { tasks: tasks.length, steps: tasks.reduce((sum, { steps }) => sum + steps.length, 0) };
}

function words({ tasks, steps }: Count): string {
  return `${tasks} tasks with ${steps} steps`;
}
