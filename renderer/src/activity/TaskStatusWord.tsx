import type { Task } from '../../../src/contract/task.ts';
import { toneOf } from './activity-words.ts';
import { endOfTask, taskStatusWords } from './task-words.ts';

/** The status of a task, with its mark. */
export function TaskStatusWord(task: Pick<Task, 'status' | 'progress'>) {
  const end = endOfTask(task);
  return <span className={`status ${toneOf(end)}`}>{taskStatusWords(end)}</span>;
}
