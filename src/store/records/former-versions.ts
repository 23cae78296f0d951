import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A copy in the folder. `keptAtMs` is the time at which it was complete, in epoch ms. */
export type FormerVersion = { actionId: string; sizeBytes: number; keptAtMs: number };

/** Former versions of files that actions overwrote: one private file for each action, which the agent writes. */
export function createFormerVersions(folder: string) {
  const pathOf = (actionId: string) => join(folder, actionId);
  const listeners: (() => void)[] = [];

  /** Every copy, the oldest first; those of an action that failed too. */
  async function list(): Promise<FormerVersion[]> {
    const versions: FormerVersion[] = [];
    for (const actionId of await readdir(folder)) {
      const facts = await stat(pathOf(actionId)).catch(() => undefined);
      if (facts !== undefined) versions.push({ actionId, sizeBytes: facts.size, keptAtMs: facts.ctimeMs });
    }
    return versions.toSorted(byAge);
  }

  const remove = (actionId: string): Promise<void> => rm(pathOf(actionId), { force: true });

  return {
    pathOf,
    list,
    remove,
    /** Calls back each time an action ended that may have left a copy. */
    onGrowth: (listener: () => void): void => void listeners.push(listener),
    /** An action ended that may have left a copy. */
    mayHaveGrown(): void {
      for (const listener of listeners) listener();
    },
    /** Removes the versions that were kept before a time, and answers how many. Epoch ms. */
    async removeBefore(atMs: number): Promise<number> {
      const old = (await list()).filter(({ keptAtMs }) => keptAtMs < atMs);
      for (const { actionId } of old) await remove(actionId);
      return old.length;
    },
  };
}

/** The ids of actions grow, so they tell the age of two copies that the disk gave the same time. */
function byAge(one: FormerVersion, other: FormerVersion): number {
  return one.keptAtMs - other.keptAtMs || (one.actionId < other.actionId ? -1 : 1);
}
