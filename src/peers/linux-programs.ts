import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallingProgram, ProgramProcess } from '../contract/program.ts';
import { type FindProgram, MOST_PARENTS, MOST_PATH_CHARACTERS, unknownProgram } from './program.ts';

/** How long the search may keep the event loop at a time. */
const SLICE_MS = 2;
/** How many callers are remembered. A program that calls again is found without a search. */
const REMEMBERED = 32;
/** How many of the latest files of a process are looked at first. A caller usually opened its socket last. */
const LATEST_FILES = 4;
/** A child has a file that it inherited under the number of its parent, except where that was handed over as one of these. */
const MOST_HANDED_OVER = 3;

/** Whether the script that a process runs is a part of Handrail itself. */
export type IsOwnScript = (script: string) => boolean;

type Options = { proc?: string; now?: () => number; isOwnScript?: IsOwnScript };
type Holder = { pid: number; file: number };
/** Some open files of a process. */
type Files = { pid: number; files: readonly number[] };
type Socket = { inode: number; uid: number };
/** Which program is meant: the process at the connection, or the one that started it to pass its calls on. */
type Meant = 'itself' | 'its parent';

/** A process at one moment. A later process with the same id has another start time. */
type Running = ProgramProcess & { parentPid: number; startTicks: number };

/** Reads processes from `/proc`, or from a folder that looks like it. */
export function createLinuxProcesses(proc = '/proc') {
  /** The target of a link in `/proc`. `undefined` where the process has ended or belongs to somebody else. */
  function link(path: string): string | undefined {
    try {
      return readlinkSync(`${proc}/${path}`).slice(0, MOST_PATH_CHARACTERS);
    } catch {
      return undefined;
    }
  }

  function text(path: string): string | undefined {
    try {
      return readFileSync(`${proc}/${path}`, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** The names in a folder that are numbers, the highest first. Node sorts them as words: `9` before `21`. */
  function numbersIn(path: string): number[] {
    try {
      return readdirSync(`${proc}/${path}`)
        .map(Number)
        .filter(Number.isInteger)
        .sort((one, other) => other - one);
    } catch {
      return [];
    }
  }

  function read(pid: number): Running | undefined {
    const stat = text(`${pid}/stat`);
    if (stat === undefined) return undefined;
    const path = link(`${pid}/exe`);
    const fields = fieldsOf(stat);
    const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const name = path === undefined ? command : basename(path);
    return { pid, name, ...(path && { path }), parentPid: Number(fields[1]), startTicks: Number(fields[19]) };
  }

  function startOf(pid: number): number | undefined {
    const stat = text(`${pid}/stat`);
    return stat === undefined ? undefined : Number(fieldsOf(stat)[19]);
  }

  return {
    startOf,
    parentOf(pid: number): number | undefined {
      const stat = text(`${pid}/stat`);
      return stat === undefined ? undefined : Number(fieldsOf(stat)[1]);
    },
    /** The ids of all processes, the highest id first: usually the latest to start. */
    pids: (): number[] => numbersIn('.'),
    uid(pid: number): number | undefined {
      return statSync(`${proc}/${pid}`, { throwIfNoEntry: false })?.uid;
    },
    /** The numbers of its open files, the highest first: usually the latest to be opened. Empty where the process has ended or belongs to somebody else. */
    filesOf: (pid: number): number[] => numbersIn(`${pid}/fd`),
    isFileOfSocket: (pid: number, file: number, inode: number) => link(`${pid}/fd/${file}`) === `socket:[${inode}]`,
    /** A process and its parents, nearest first, without the first process of the system. Empty where the process has ended. */
    lineOf(pid: number): Running[] {
      const line: Running[] = [];
      let next = read(pid);
      while (next !== undefined) {
        line.push(next);
        const { parentPid, startTicks } = next;
        const parent = line.length <= MOST_PARENTS && parentPid > 1 ? read(parentPid) : undefined;
        // A process that started later only has the id of the real parent, which has ended.
        next = parent === undefined || parent.startTicks > startTicks ? undefined : parent;
      }
      return line;
    },
    /** The file that an interpreter was told to run: its first argument that is a file and no option. */
    scriptOf({ pid, name }: ProgramProcess): string | undefined {
      if (!INTERPRETER.test(name)) return undefined;
      const [, ...words] = (text(`${pid}/cmdline`) ?? '').split('\0');
      const word = words.find((each) => each !== '' && !each.startsWith('-'));
      const folder = link(`${pid}/cwd`);
      if (word === undefined || (folder === undefined && !isAbsolute(word))) return undefined;
      const file = resolve(folder ?? '/', word);
      return isFile(`${proc}/${pid}/root${file}`) ? file.slice(0, MOST_PATH_CHARACTERS) : undefined;
    },
  };
}

/** Code that an interpreter was given as an argument may be no path at all, or too long for one. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** The name of a process may hold spaces and brackets, so the fields are those after the last bracket. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const INTERPRETER = /^(?:python|node|bun|deno|ruby|perl|php|bash|sh|dash|zsh|fish)[\d.]*$/;

/** A process that holds a socket, then its parents. */
type Line = { holder: Holder; line: readonly Running[] };

/**
 * Finds the process that holds a socket by the links in `/proc/<pid>/fd`, among the processes of the caller's OS user. A process
 * that shares the socket with its child has the lower id, and started it, so the search goes on from a child to its parents.
 */
export function createLinuxPrograms(options: Options = {}): FindProgram {
  const { proc = '/proc', now = performance.now.bind(performance), isOwnScript = () => false } = options;
  const processes = createLinuxProcesses(proc);
  let recent: readonly number[] = [];

  /**
   * Files of the processes of a user: of the callers of before, then the latest files of all others, the latest process first, since
   * a browser may have thousands; then their other files.
   */
  function* filesOfUser(uid: number): Generator<Files> {
    const others: Files[] = [];
    for (const pid of candidates(recent, processes.pids)) {
      const files = processes.uid(pid) === uid ? processes.filesOf(pid) : [];
      const first = recent.includes(pid) ? files.length : LATEST_FILES;
      yield { pid, files: files.slice(0, first) };
      if (files.length > first) others.push({ pid, files: files.slice(first) });
    }
    yield* others;
  }

  async function firstHolder({ inode, uid }: Socket, breathe: Breathe): Promise<Holder | undefined> {
    for (const each of filesOfUser(uid)) {
      await breathe();
      const holder = await holding(each, inode, breathe);
      if (holder !== undefined) return holder;
    }
    return undefined;
  }

  async function holding({ pid, files }: Files, inode: number, breathe: Breathe): Promise<Holder | undefined> {
    for (const file of files) {
      await breathe();
      if (processes.isFileOfSocket(pid, file, inode)) return { pid, file };
    }
    return undefined;
  }

  /** The oldest parent that holds the socket too, or else the process itself, with its own parents. */
  async function oldestHolder(found: Holder, inode: number, breathe: Breathe): Promise<Line> {
    const line = processes.lineOf(found.pid);
    let oldest = { holder: found, line };
    for (const [index, { pid }] of line.entries()) {
      // The daemon has hundreds of files, and none of them is a caller's end that a program it started would share.
      if (index === 0 || pid === process.pid) continue;
      const files = found.file > MOST_HANDED_OVER ? [found.file] : processes.filesOf(pid);
      const holder = await holding({ pid, files }, inode, breathe);
      if (holder !== undefined) oldest = { holder, line: line.slice(index) };
    }
    return oldest;
  }

  function describe({ holder: { pid, file }, line }: Line, { inode, uid }: Socket, meant: Meant): CallingProgram {
    const [connected] = line;
    const [running, ...parents] = meant === 'its parent' ? fromFirst(line, isForeign) : line;
    if (connected === undefined || running === undefined) return unknownProgram(ENDED);
    const script = processes.scriptOf(running);
    // An id may have passed to another process between these reads; the socket and the start times say that none has.
    const isSame = [connected, running].every((each) => processes.startOf(each.pid) === each.startTicks); // guard E2-34
    if (!isSame || !processes.isFileOfSocket(pid, file, inode)) return unknownProgram(ENDED);
    recent = [pid, ...recent.filter((each) => each !== pid)].slice(0, REMEMBERED);
    return {
      kind: 'program',
      uid,
      ...shown(running),
      script,
      startedBy: parents.map(shown),
      ...(running !== connected && { through: shown(connected) }),
    };
  }

  function isForeign(running: Running): boolean {
    const script = processes.scriptOf(running);
    return script === undefined || !isOwnScript(script);
  }

  return async ({ peer, isPassedOn = false }) => {
    if (peer.kind === 'unknown') return unknownProgram(peer.because);
    if (peer.kind === 'gone' || peer.inode === undefined) return unknownProgram(ENDED);
    const { inode, uid } = peer;
    const breathe = createBreathe(now);
    try {
      const found = await firstHolder({ inode, uid }, breathe);
      if (found === undefined) return unknownProgram(ENDED);
      const line = await oldestHolder(found, inode, breathe);
      return describe(line, { inode, uid }, isPassedOn ? 'its parent' : 'itself');
    } catch (error) {
      return unknownProgram(error instanceof Error ? error.message : String(error));
    }
  };
}

/** A line from the first process that a rule is for; the whole line where it is for none. */
function fromFirst(line: readonly Running[], rule: (running: Running) => boolean): readonly Running[] {
  return line.slice(Math.max(0, line.findIndex(rule)));
}

function shown({ parentPid: _, startTicks: __, ...process }: Running): ProgramProcess {
  return process;
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
