import type { TaskRow } from '../../store/tasks.ts';

/** How much room the tasks that have not ended take: they are all in memory, and anybody may hand them in. */
export function createTaskSizes() {
  const sizes = new Map<string, number>();
  const ofUsers = new Map<string, number>();
  let inAll = 0;

  function change(userId: string, byBytes: number): void {
    inAll += byBytes;
    const ofUser = (ofUsers.get(userId) ?? 0) + byBytes;
    if (ofUser === 0) ofUsers.delete(userId);
    else ofUsers.set(userId, ofUser);
  }

  return {
    /** Counts a task in when it is new, and out when it has ended. */
    note({ id, userId, steps, finishedAtMs }: TaskRow): void {
      const known = sizes.get(id);
      if (finishedAtMs === undefined && known === undefined) {
        const sizeBytes = Buffer.byteLength(JSON.stringify(steps));
        sizes.set(id, sizeBytes);
        change(userId, sizeBytes);
      }
      if (finishedAtMs !== undefined && known !== undefined) {
        sizes.delete(id);
        change(userId, -known);
      }
    },
    of: (userId: string): { ofUser: number; inAll: number } => ({ ofUser: ofUsers.get(userId) ?? 0, inAll }),
  };
}
