import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallingProgram } from '../contract/program.ts';
import { createLinuxProcesses } from './linux-process.ts';
import { type FindProgram, unknownProgram } from './program.ts';

/** How long the search may keep the event loop at a time. */
const SLICE_MS = 2;
/** How many callers are remembered. A program that calls again is found without a search. */
const REMEMBERED = 32;

/**
 * Finds the process that holds a socket by the links in `/proc/<pid>/fd`, among the processes of the caller's OS user. A process
 * that shares the socket with its child has the lower id, and started it, so the search goes on from a child to its parents.
 */
export function createLinuxPrograms({ proc = '/proc', now = performance.now.bind(performance) } = {}): FindProgram {
  const processes = createLinuxProcesses(proc);
  let recent: readonly number[] = [];

  /** Asks the callers of before first, then all processes of the user, the latest first. */
  async function holderOf(inode: number, uid: number): Promise<{ pid: number; file: string } | undefined> {
    let endMs = now() + SLICE_MS;
    for (const pid of candidates(recent, processes.pids)) {
      if (now() >= endMs) {
        await nextTurn();
        endMs = now() + SLICE_MS;
      }
      if (processes.uid(pid) !== uid) continue;
      const file = processes.fileOfSocket(pid, inode);
      if (file !== undefined) return oldestHolder({ pid, file }, inode);
    }
    return undefined;
  }

  function oldestHolder(holder: { pid: number; file: string }, inode: number): { pid: number; file: string } {
    const running = processes.read(holder.pid);
    const parents = running === undefined ? [] : processes.parentsOf(running);
    const above = parents.flatMap(({ pid }) => {
      const file = processes.fileOfSocket(pid, inode);
      return file === undefined ? [] : [{ pid, file }];
    });
    return above.at(-1) ?? holder;
  }

  function describe({ pid, file }: { pid: number; file: string }, of: { inode: number; uid: number }): CallingProgram {
    const running = processes.read(pid);
    if (running === undefined) return unknownProgram(ENDED);
    const script = processes.scriptOf(running);
    const startedBy = processes.parentsOf(running);
    // The id may have passed to another process between these reads; the socket and the start time say that it has not.
    const isSame =
      processes.isFileOfSocket(pid, file, of.inode) && processes.read(pid)?.startTicks === running.startTicks;
    if (!isSame) return unknownProgram(ENDED);
    recent = [pid, ...recent.filter((each) => each !== pid)].slice(0, REMEMBERED);
    const { parentPid: _, startTicks: __, ...shown } = running;
    return { kind: 'program', uid: of.uid, ...shown, ...(script !== undefined && { script }), startedBy };
  }

  return async ({ peer }) => {
    if (peer.kind === 'unknown') return unknownProgram(peer.because);
    if (peer.kind === 'gone' || peer.inode === undefined) return unknownProgram(ENDED);
    const { inode, uid } = peer;
    try {
      const holder = await holderOf(inode, uid);
      return holder === undefined ? unknownProgram(ENDED) : describe(holder, { inode, uid });
    } catch (error) {
      return unknownProgram(error instanceof Error ? error.message : String(error));
    }
  };
}

/**
 * Each id once. The processes are listed only when none of the recent callers is the one. The daemon itself comes last: it has the
 * other end of every connection, so it has many files to look at.
 */
function* candidates(recent: readonly number[], all: () => number[]): Generator<number> {
  const first = recent.filter((pid) => pid !== process.pid);
  yield* first;
  for (const pid of all()) if (pid !== process.pid && !first.includes(pid)) yield pid;
  yield process.pid;
}

const ENDED = 'the process that called has ended, or may not be looked at';
