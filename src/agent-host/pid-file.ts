import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Remembers the agent's process beyond the life of the daemon. */
export type AgentPidFile = {
  note(pid: number): Promise<void>;
  /**
   * Waits for an agent that a killed daemon has left behind: it lets go of the desktop and ends within a second. Resolves
   * with false when something by that number still runs; nothing is done to it, for it may be another program by now.
   */
  predecessorGone(): Promise<boolean>;
};

const PATIENCE_MS = 1_500;
const LOOK_EVERY_MS = 25;

type Time = { nowMs(): number; sleep(ms: number): Promise<unknown> };
const REAL_TIME: Time = { nowMs: () => performance.now(), sleep };

export function createAgentPidFile(path: string, { nowMs, sleep }: Time = REAL_TIME): AgentPidFile {
  return {
    note: (pid) => writeFile(path, `${pid}\n`, { mode: 0o600 }),
    async predecessorGone() {
      const pid = Number(await readFile(path, 'utf8').catch(() => ''));
      const untilMs = nowMs() + PATIENCE_MS;
      while (await isRunning(pid)) {
        if (nowMs() >= untilMs) return false;
        await sleep(LOOK_EVERY_MS);
      }
      return true;
    },
  };
}

async function isRunning(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // On Linux an ended process that its new parent has not taken note of yet still has a number.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return !/^State:\s+Z/m.test(status);
}
