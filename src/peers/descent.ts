import { createLinuxProcesses } from './linux-process.ts';
import { listWithPs, parseProcesses } from './macos-programs.ts';

/** Whether a process was started by another one, or by one that this one started, and so on. Nothing where that is not known. */
export type Descends = (pid: number, ancestor: number) => Promise<boolean | undefined>;

/** The parent of a process; nothing where it has ended. */
type ParentOf = (pid: number) => number | undefined;

export function createDescends(platform: NodeJS.Platform, list: () => Promise<string> = listWithPs): Descends {
  if (platform === 'linux') {
    const { parentOf } = createLinuxProcesses();
    return async (pid, ancestor) => descendsBy(parentOf, pid, ancestor);
  }
  return async (pid, ancestor) => {
    const processes = await list().then(parseProcesses, () => undefined);
    return descendsBy((each) => processes?.get(each)?.parentPid, pid, ancestor);
  };
}

const MOST_ROUNDS = 1_000;

export function descendsBy(parentOf: ParentOf, pid: number, ancestor: number): boolean | undefined {
  let next: number | undefined = pid;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    next = parentOf(next);
    if (next === undefined) return undefined;
    if (next === ancestor) return true;
    if (next <= 1) return false;
  }
  return undefined;
}
