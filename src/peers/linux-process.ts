import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import type { ProgramProcess } from '../contract/program.ts';
import { MOST_PARENTS, MOST_PATH_CHARACTERS } from './program.ts';

/** A process at one moment. A later process with the same id has another start time. */
export type Running = ProgramProcess & { parentPid: number; startTicks: number };

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
