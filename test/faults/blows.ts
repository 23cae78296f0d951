import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** To wait for a millisecond without letting anything else in this process go on. */
const CLOCK = new Int32Array(new SharedArrayBuffer(4));

export type Victim = 'daemon' | 'agent';

/** Whom to kill, and when: `at` names a moment that one of the two processes passes. */
export type Blow = {
  at: string;
  kill: readonly Victim[];
  /** The agent, left behind, hangs from then on, so that it is still there for the next blow. */
  freezeAgent?: boolean;
};

export type Blows = {
  /** To be called at every moment that may be meant; kills when it is the one whose turn it is. */
  reach(moment: string): void;
  /** Whether the next blow is to fall at this moment. */
  isNext(moment: string): boolean;
};

/**
 * Lays down what is to befall the processes of a folder, in this order and each once. The plan may grow while they run: they read it at
 * each moment, and find the whole old plan or the whole new one.
 */
export function planBlows(folder: string, blows: readonly Blow[]): void {
  writeFileSync(join(folder, 'blows.new'), JSON.stringify(blows));
  renameSync(join(folder, 'blows.new'), join(folder, 'blows.json'));
}

/** The moments at which blows have fallen so far. */
export function fallenBlows(folder: string): string[] {
  return linesOf(join(folder, 'fallen'));
}

/** What one of the two processes does with the plan. It kills others before itself, and waits until they are dead. */
export function takePart(folder: string, self: Victim): Blows {
  writeFileSync(join(folder, `${self}.pid`), String(process.pid));
  const next = () => {
    const blows: Blow[] = JSON.parse(readFileSync(join(folder, 'blows.json'), 'utf8'));
    return blows[fallenBlows(folder).length];
  };
  return {
    isNext: (moment) => next()?.at === moment,
    reach(moment) {
      const blow = next();
      if (blow?.at !== moment) return;
      appendFileSync(join(folder, 'fallen'), `${moment}\n`, { flush: true });
      for (const victim of blow.kill.filter((each) => each !== self)) killAndWait(folder, victim);
      if (blow.kill.includes(self)) process.kill(process.pid, 'SIGKILL');
      if (blow.freezeAgent === true && self === 'agent') process.kill(process.pid, 'SIGSTOP');
    },
  };
}

/** Kills a process of the folder and waits until it is dead; one that has ended already is left alone. */
export function killAndWait(folder: string, victim: Victim): void {
  const path = join(folder, `${victim}.pid`);
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8'));
  if (!isRunning(pid, folder)) return;
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid, folder)) Atomics.wait(CLOCK, 0, 0, 1);
}

export function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Whether the process of this id is still the one that was started for the folder, and has not ended. */
function isRunning(pid: number, folder: string): boolean {
  const { state, command } = process.platform === 'linux' ? inProc(pid) : inProcessTable(pid);
  return command.includes(folder) && !/^[ZX]/.test(state);
}

/** The kernel's own files: the matrix asks some thousand times, and a `ps` each time takes longer than the rest of a kill. */
function inProc(pid: number): { state: string; command: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const state = stat.slice(stat.lastIndexOf(')') + 2);
    return { state, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return { state: '', command: '' };
  }
}

function inProcessTable(pid: number): { state: string; command: string } {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' });
  const [state = '', command = ''] = stdout.trim().split(/\s(.*)/s, 2);
  return { state, command };
}
