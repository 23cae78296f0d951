import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import type { CallingProgram, ProgramProcess } from '../contract/program.ts';
import type { Connection, End, FindPeer } from './peer.ts';
import { type FindProgram, MOST_PARENTS, MOST_PATH_CHARACTERS, unknownProgram } from './program.ts';
import { sharedRead } from './shared-read.ts';

const LSOF = '/usr/sbin/lsof';

/** Limits for `lsof` and `ps`, in milliseconds and bytes. A caller stays unknown when one of them takes longer. */
export const LISTING = { timeout: 2_000, maxBuffer: 16 * 2 ** 20 };

/** `execFile`, as it is used here. */
export type RunListing = (
  program: string,
  args: readonly string[],
  options: typeof LISTING,
  ended: (error: Error | null, output: string) => void,
) => unknown;

/** Lists the sockets at a TCP port of this machine, as `lsof -F pun` prints them. */
type ListSockets = (port: number) => Promise<string>;

/**
 * Finds callers with lsof. Without root rights it lists the sockets of the daemon's own user only, so a caller that is not listed
 * stays unknown.
 */
export function createMacosPeers({ list = listWithLsof }: { list?: ListSockets } = {}): FindPeer {
  const lists = new Map<number, () => Promise<string>>();
  return async (connection) => {
    const { port } = connection.daemon;
    const sockets = lists.get(port) ?? sharedRead(() => list(port));
    lists.set(port, sockets);
    try {
      const owner = ownerOfCaller(await sockets(), connection);
      return owner === undefined
        ? { kind: 'unknown', because: 'lsof does not list the socket of a caller' }
        : { kind: 'user', uid: owner.uid };
    } catch (error) {
      return { kind: 'unknown', because: error instanceof Error ? error.message : String(error) };
    }
  };
}

/**
 * Field output of lsof: a line for each field, which its first letter names. `p` and `u` begin a process and its user, `f` a file
 * of it, `n` the name of that file: for a socket its two ends.
 */
export function ownerOfCaller(
  output: string,
  { caller, daemon }: Connection,
): { pid: number; uid: number } | undefined {
  const ends = `${written(caller)}->${written(daemon)}`;
  let pid = Number.NaN;
  let uid: number | undefined;
  for (const line of output.split('\n')) {
    const value = line.slice(1);
    if (line[0] === 'p') [pid, uid] = [Number(value), undefined]; // guard E2-35
    if (line[0] === 'u') uid = Number(value);
    if (line[0] === 'n' && value === ends) return uid === undefined ? undefined : { pid, uid };
  }
  return undefined;
}

const written = ({ address, port }: End) => `${address}:${port}`;

/** Ends with code 1 where it found nothing, which is an answer; without any output it has failed. */
export function listWithLsof(port: number, run: RunListing = execFile): Promise<string> {
  return new Promise((resolve, reject) => {
    run(LSOF, ['-nP', `-iTCP@127.0.0.1:${port}`, '-F', 'pun'], LISTING, (error, output) => {
      if (error === null || output !== '') resolve(output);
      else reject(error);
    });
  });
}

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
