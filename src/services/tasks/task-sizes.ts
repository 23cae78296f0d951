import type { TaskRow } from '../../store/records/tasks.ts';

/** How many steps tasks have, and how many bytes these take as JSON. */
export type TaskSize = { steps: number; bytes: number };

const NOTHING: TaskSize = { steps: 0, bytes: 0 };

/** How much room the tasks that have not ended take: they are all in memory, and any program may hand them in. */
export function createTaskSizes() {
  const sizes = new Map<string, TaskSize>();
  const ofUsers = new Map<string, TaskSize>();
  let inAll = NOTHING;

  function change(userId: string, by: TaskSize): void {
    inAll = sum(inAll, by);
    const ofUser = sum(ofUsers.get(userId) ?? NOTHING, by);
    if (ofUser.steps === 0) ofUsers.delete(userId);
    else ofUsers.set(userId, ofUser);
  }

  return {
    /** Counts a task in when it is new, and out when it has ended. */
    note({ id, userId, steps, finishedAtMs }: TaskRow): void {
      const known = sizes.get(id);
      if (finishedAtMs === undefined && known === undefined) {
        const size = { steps: steps.length, bytes: Buffer.byteLength(JSON.stringify(steps)) };
        sizes.set(id, size);
        change(userId, size);
      }
      if (finishedAtMs !== undefined && known !== undefined) {
        sizes.delete(id);
        change(userId, { steps: -known.steps, bytes: -known.bytes });
      }
    },
    of: (userId: string): { ofUser: TaskSize; inAll: TaskSize } => ({ ofUser: ofUsers.get(userId) ?? NOTHING, inAll }),
  };
}

function sum(one: TaskSize, other: TaskSize): TaskSize {
  return { steps: one.steps + other.steps, bytes: one.bytes + other.bytes };
}
