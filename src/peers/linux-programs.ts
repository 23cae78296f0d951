import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallingProgram } from '../contract/program.ts';
import { createLinuxProcesses } from './linux-process.ts';
import { type FindProgram, unknownProgram } from './program.ts';

/** How long the search may keep the event loop at a time. */
const SLICE_MS = 2;
/** How many callers are remembered. A program that calls again is found without a search. */
const REMEMBERED = 32;

type Holder = { pid: number; file: string };
type Socket = { inode: number; uid: number };

/**
 * Finds the process that holds a socket by the links in `/proc/<pid>/fd`, among the processes of the caller's OS user. A process
 * that shares the socket with its child has the lower id, and started it, so the search goes on from a child to its parents.
 */
export function createLinuxPrograms({ proc = '/proc', now = performance.now.bind(performance) } = {}): FindProgram {
  const processes = createLinuxProcesses(proc);
  let recent: readonly number[] = [];

  /** Asks the callers of before first, then all processes of the user, the latest first. */
  async function firstHolder({ inode, uid }: Socket, breathe: Breathe): Promise<Holder | undefined> {
    for (const pid of candidates(recent, processes.pids)) {
      await breathe();
      if (processes.uid(pid) !== uid) continue;
      const holder = await holding(pid, inode, breathe);
      if (holder !== undefined) return holder;
    }
    return undefined;
  }

  async function holding(pid: number, inode: number, breathe: Breathe): Promise<Holder | undefined> {
    for (const file of processes.filesOf(pid)) {
      await breathe();
      if (processes.isFileOfSocket(pid, file, inode)) return { pid, file };
    }
    return undefined;
  }

  /** The oldest parent that holds the socket too, or else the process itself. */
  async function oldestHolder(found: Holder, inode: number, breathe: Breathe): Promise<Holder> {
    const running = processes.read(found.pid);
    let oldest = found;
    for (const { pid } of running === undefined ? [] : processes.parentsOf(running)) {
      // The daemon has hundreds of files, and none of them is a caller's end that a program it started would share.
      if (pid === process.pid) continue;
      oldest = (await holding(pid, inode, breathe)) ?? oldest;
    }
    return oldest;
  }

  function describe({ pid, file }: Holder, { inode, uid }: Socket): CallingProgram {
    const running = processes.read(pid);
    if (running === undefined) return unknownProgram(ENDED);
    const script = processes.scriptOf(running);
    const startedBy = processes.parentsOf(running);
    // The id may have passed to another process between these reads; the socket and the start time say that it has not.
    const isSame = processes.isFileOfSocket(pid, file, inode) && processes.read(pid)?.startTicks === running.startTicks;
    if (!isSame) return unknownProgram(ENDED);
    recent = [pid, ...recent.filter((each) => each !== pid)].slice(0, REMEMBERED);
    const { parentPid: _, startTicks: __, ...shown } = running;
    return { kind: 'program', uid, ...shown, ...(script !== undefined && { script }), startedBy };
  }

  return async ({ peer }) => {
    if (peer.kind === 'unknown') return unknownProgram(peer.because);
    if (peer.kind === 'gone' || peer.inode === undefined) return unknownProgram(ENDED);
    const { inode, uid } = peer;
    const breathe = createBreathe(now);
    try {
      const found = await firstHolder({ inode, uid }, breathe);
      if (found === undefined) return unknownProgram(ENDED);
      return describe(await oldestHolder(found, inode, breathe), { inode, uid });
    } catch (error) {
      return unknownProgram(error instanceof Error ? error.message : String(error));
    }
  };
}

/** Lets the event loop go on where the search has kept it for its time. */
type Breathe = () => Promise<void>;

function createBreathe(now: () => number): Breathe {
  let endMs = now() + SLICE_MS;
  return async () => {
    if (now() < endMs) return;
    await nextTurn();
    endMs = now() + SLICE_MS;
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
