import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** How to ask for the process at the other end of a Unix socket: a level and an option of `getsockopt`. The answer begins with its id. */
const PEER: Partial<Record<NodeJS.Platform, readonly [level: number, option: number]>> = {
  // SOL_SOCKET, SO_PEERCRED
  linux: [1, 17],
  // SOL_LOCAL, LOCAL_PEERPID
  darwin: [0, 2],
};
const ANSWER_BYTES = 12;

/** The process that opened a connection of a Unix socket, as the kernel tells it; nothing where it does not tell. */
export function peerProcess(socket: Socket): number | undefined {
  const ffi = process.getBuiltinModule('node:ffi');
  const question = PEER[process.platform];
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (!isFfi(ffi) || question === undefined || typeof descriptor !== 'number' || descriptor < 0) return undefined;
  const { functions } = ffi.dlopen(null, {
    getsockopt: { arguments: ['i32', 'i32', 'i32', 'pointer', 'pointer'], return: 'i32' },
  });
  const answer = Buffer.alloc(ANSWER_BYTES);
  const length = Buffer.alloc(4);
  length.writeInt32LE(ANSWER_BYTES);
  const [level, option] = question;
  const failed = functions.getsockopt(descriptor, level, option, ffi.getRawPointer(answer), ffi.getRawPointer(length));
  const pid = answer.readInt32LE();
  return failed === 0 && pid > 0 ? pid : undefined;
}

const MOST_ROUNDS = 1_000;

/** Whether a process was started by another one, or by one that this one started, and so on. Nothing where that is not known. */
export function descendsFrom(pid: number, ancestor: number, parentOf = parentProcess): boolean | undefined {
  let next: number | undefined = pid;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    next = parentOf(next);
    if (next === undefined) return undefined;
    if (next === ancestor) return true;
    if (next <= 1) return false;
  }
  return undefined;
}

function parentProcess(pid: number): number | undefined {
  const text = process.platform === 'linux' ? parentOnLinux(pid) : parentByPs(pid);
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The program's name stands in parentheses, and may hold spaces and parentheses itself. */
function parentOnLinux(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2] ?? '';
  } catch {
    return '';
  }
}

function parentByPs(pid: number): string {
  return spawnSync('/bin/ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** The module is experimental: a runtime may lack it, or have changed it. */
function isFfi(module: object | undefined): module is typeof import('node:ffi') {
  return module !== undefined && 'dlopen' in module && 'getRawPointer' in module;
}
