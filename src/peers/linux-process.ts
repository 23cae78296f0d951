import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import type { ProgramProcess } from '../contract/program.ts';
import { MOST_PARENTS, MOST_PATH_CHARACTERS } from './program.ts';

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

  function names(path: string): string[] {
    try {
      return readdirSync(`${proc}/${path}`);
    } catch {
      return [];
    }
  }

  function read(pid: number): Running | undefined {
    const stat = text(`${pid}/stat`);
    if (stat === undefined) return undefined;
    const path = link(`${pid}/exe`);
    // The name of a process may hold spaces and brackets, so the fields are those after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const name = path === undefined ? command : basename(path);
    return { pid, name, ...(path && { path }), parentPid: Number(fields[1]), startTicks: Number(fields[19]) };
  }

  return {
    read,
    /** The ids of all processes, the highest id first: usually the latest to start. */
    pids: (): number[] =>
      names('.')
        .map(Number)
        .filter((pid) => Number.isInteger(pid) && pid > 0)
        .sort((one, other) => other - one),
    uid(pid: number): number | undefined {
      return statSync(`${proc}/${pid}`, { throwIfNoEntry: false })?.uid;
    },
    /** The numbers of its open files, the latest first. Empty where the process has ended or belongs to somebody else. */
    filesOf: (pid: number): string[] => names(`${pid}/fd`).reverse(),
    isFileOfSocket: (pid: number, file: string, inode: number) => link(`${pid}/fd/${file}`) === `socket:[${inode}]`,
    /** Its parents, nearest first, without the first process of the system. */
    parentsOf(child: Running): ProgramProcess[] {
      const parents: ProgramProcess[] = [];
      let below = child;
      while (parents.length < MOST_PARENTS && below.parentPid > 1) {
        const parent = read(below.parentPid);
        // A process that started later only has the id of the real parent, which has ended.
        if (parent === undefined || parent.startTicks > below.startTicks) break;
        const { parentPid: _, startTicks: __, ...shown } = parent;
        parents.push(shown);
        below = parent;
      }
      return parents;
    },
    /** The file that an interpreter was told to run: its first argument that is a file and no option. */
    scriptOf({ pid, name }: ProgramProcess): string | undefined {
      if (!INTERPRETER.test(name)) return undefined;
      const [, ...words] = (text(`${pid}/cmdline`) ?? '').split('\0');
      const word = words.find((each) => each !== '' && !each.startsWith('-'));
      const folder = link(`${pid}/cwd`);
      if (word === undefined || (folder === undefined && !isAbsolute(word))) return undefined;
      const file = resolve(folder ?? '/', word);
      const isFile = statSync(`${proc}/${pid}/root${file}`, { throwIfNoEntry: false })?.isFile() === true;
      return isFile ? file.slice(0, MOST_PATH_CHARACTERS) : undefined;
    },
  };
}

const INTERPRETER = /^(?:python|node|bun|deno|ruby|perl|php|bash|sh|dash|zsh|fish)[\d.]*$/;
