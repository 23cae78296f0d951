import { ulid } from 'ulid';
import type { Task } from '../../src/contract/task.ts';
import type { TaskCall, TaskService } from '../../src/services/requester-services.ts';
import { asItems } from '../services/page-items.ts';

/** Tasks in memory: each is stored as it came, is done at once where it was waited for, and can be cancelled until then. */
export function createFakeTasks(isDeviceOf: (userId: string, deviceId: string) => boolean): TaskService {
  const tasks = new Map<string, Task>();
  const notFound = { refused: 'task_not_found', detail: 'This user has no such task.' } as const;

  function own(userId: string, taskId: string): Task | typeof notFound {
    const task = tasks.get(taskId);
    return task?.userId === userId ? task : notFound;
  }

  return {
    async submit(call) {
      if (call.body.steps.some(({ id }, index) => call.body.steps.findIndex((step) => step.id === id) !== index))
        return { refused: 'task_graph_invalid', detail: 'A step id comes twice.' };
      if (!call.body.steps.every((step) => isDeviceOf(call.userId, step.targetDeviceId)))
        return { refused: 'device_not_found', detail: 'No such device.' };
      if (call.body.dryRun === true) return { kind: 'dryRun', dryRun: { dryRun: true, steps: [] } };
      const task = taskOf(call);
      tasks.set(task.taskId, task);
      return { kind: 'task', task, replayed: false };
    },
    list: async (userId) => ({
      items: asItems([...tasks.values()].filter((task) => task.userId === userId)),
      nextCursor: null,
    }),
    get: own,
    former: () => undefined,
    forgetKey: () => undefined,
    ended: async (userId, taskId) => own(userId, taskId),
    cancel(userId, taskId) {
      const task = own(userId, taskId);
      if ('refused' in task) return task;
      if (task.status !== 'pending') return { refused: 'already_terminal', detail: 'It has ended.' };
      task.status = 'cancelled';
      return task;
    },
  };
}

function taskOf({ userId, body, waitMs }: TaskCall): Task {
  const status = waitMs ? ('success' as const) : ('pending' as const);
  return {
    taskId: `tsk_${ulid()}`,
    name: body.name ?? 'Task',
    userId,
    status,
    steps: body.steps.map(({ id, actionType, targetDeviceId, dependsOn = [] }) => {
      return { id, actionType, targetDeviceId, dependsOn, status, attempts: 0, risk: { level: 'low', reasons: [] } };
    }),
    progress: { done: 0, total: body.steps.length, byStatus: { [status]: body.steps.length } },
    createdAt: new Date().toISOString(),
  };
}
