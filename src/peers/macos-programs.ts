import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import type { CallingProgram, ProgramProcess } from '../contract/program.ts';
import { LISTING, listWithLsof, ownerOfCaller, type RunListing } from './macos-peers.ts';
import { type FindProgram, MOST_PARENTS, MOST_PATH_CHARACTERS, unknownProgram } from './program.ts';

type Lists = { list?: (port: number) => Promise<string>; processes?: () => Promise<string> };
type Listed = ProgramProcess & { parentPid: number };

/**
 * Finds the caller's process with lsof, and its parents with ps. `list` answers the sockets at a port as `lsof -F pun` prints them;
 * `processes` answers lines of `pid ppid path`.
 */
export function createMacosPrograms({ list = listWithLsof, processes = listWithPs }: Lists = {}): FindProgram {
  return async ({ connection }) => {
    try {
      const before = ownerOfCaller(await list(connection.daemon.port), connection);
      if (before === undefined) return unknownProgram('lsof does not list the socket of the caller');
      const running = parseProcesses(await processes());
      // The id may have passed to another process between the two lists, so the socket is looked up again.
      const after = ownerOfCaller(await list(connection.daemon.port), connection);
      const own = running.get(before.pid);
      if (own === undefined || after?.pid !== before.pid) return unknownProgram('the process that called has ended');
      return describe(own, before.uid, running);
    } catch (error) {
      return unknownProgram(error instanceof Error ? error.message : String(error));
    }
  };
}

function describe({ parentPid, ...own }: Listed, uid: number, running: ReadonlyMap<number, Listed>): CallingProgram {
  const startedBy: ProgramProcess[] = [];
  let above = running.get(parentPid);
  while (above !== undefined && above.pid > 1 && startedBy.length < MOST_PARENTS) {
    const { parentPid: next, ...shown } = above;
    startedBy.push(shown);
    above = running.get(next);
  }
  return { kind: 'program', uid, ...own, startedBy };
}

/** Lines of `ps -o pid=,ppid=,comm=`: on macOS `comm` is the whole path of the executable, and may hold spaces. */
export function parseProcesses(output: string): Map<number, Listed> {
  const lines = output.split('\n').flatMap((line) => {
    const [, pid, parentPid, path] = /^\s*(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (path === undefined) return [];
    const kept = path.slice(0, MOST_PATH_CHARACTERS);
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        name: nameOf(kept),
        ...(kept.startsWith('/') && { path: kept }),
      },
    ];
  });
  return new Map(lines.map((line) => [line.pid, line]));
}

/** An app is known by its bundle, any other program by its file. A login shell has a dash before its name. */
function nameOf(path: string): string {
  const [, bundle] = /([^/]+)\.app\/Contents\/MacOS\//.exec(path) ?? [];
  return bundle ?? basename(path).replace(/^-/, '');
}

export function listWithPs(run: RunListing = execFile): Promise<string> {
  return new Promise((resolve, reject) => {
    run('/bin/ps', ['-axww', '-o', 'pid=,ppid=,comm='], LISTING, (error, output) => {
      if (error === null) resolve(output);
      else reject(error);
    });
  });
}
