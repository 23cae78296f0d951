import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Former versions of files that actions overwrote: one private file for each action, which the agent writes. */
export function createFormerVersions(folder: string) {
  const pathOf = (actionId: string) => join(folder, actionId);
  return {
    pathOf,
    /** Removes the versions that were kept before a time, and answers how many. Epoch ms. */
    async removeBefore(atMs: number): Promise<number> {
      const names = await readdir(folder);
      let removed = 0;
      for (const name of names) {
        const facts = await stat(pathOf(name)).catch(() => undefined);
        if (facts === undefined || facts.ctimeMs >= atMs) continue;
        await rm(pathOf(name), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}
