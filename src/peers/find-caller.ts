import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createLinuxPeers } from './linux-peers.ts';
import { createLinuxProcesses, createLinuxPrograms, type IsOwnScript } from './linux-programs.ts';
import { createMacosPeers, createMacosPrograms, listWithPs, parseProcesses } from './macos-peers.ts';
import type { FindPeer } from './peer.ts';
import { type FindProgram, unknownProgram } from './program.ts';

/** Tells which OS user calls, as far as this system tells it. */
export function createFindPeer(platform: NodeJS.Platform): FindPeer {
  if (platform === 'linux') return createLinuxPeers();
  if (platform === 'darwin') return createMacosPeers();
  return async () => ({ kind: 'unknown', because: `${platform} is not supported` });
}

/** Tells which program calls, as far as this system tells it. `installation`: the folder of Handrail's own code. */
export function createFindProgram(platform: NodeJS.Platform, installation: string): FindProgram {
  if (platform === 'linux') return createLinuxPrograms({ isOwnScript: createIsOwnScript(installation) });
  if (platform === 'darwin') return createMacosPrograms();
  return async () => unknownProgram(`${platform} is not supported`);
}

/** The command that a client starts lies in the installation of the daemon, and a link to it may be anywhere. */
export function createIsOwnScript(installation: string): IsOwnScript {
  const places = ['src', 'dist'].map((name) => `${join(installation, name)}${sep}`);
  return (script) => {
    const real = realPathOf(script);
    return real !== undefined && places.some((place) => real.startsWith(place));
  };
}

/** `undefined` where the file is gone, or in a place that this process does not see. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a process was started by another one, or by one that this one started, and so on. Nothing where that is not known. */
export type Descends = (pid: number, ancestor: number) => Promise<boolean | undefined>;

/** The parent of a process; nothing where it has ended. */
type ParentOf = (pid: number) => number | undefined;

export function createDescends(platform: NodeJS.Platform, list: () => Promise<string> = listWithPs): Descends {
  if (platform === 'linux') {
    const { parentOf } = createLinuxProcesses();
    return async (pid, ancestor) => descendsBy(parentOf, pid, ancestor);
  }
  return async (pid, ancestor) => {
    const processes = await list().then(parseProcesses, () => undefined);
    return descendsBy((each) => processes?.get(each)?.parentPid, pid, ancestor);
  };
}

const MOST_ROUNDS = 1_000;

export function descendsBy(parentOf: ParentOf, pid: number, ancestor: number): boolean | undefined {
  let next: number | undefined = pid;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    next = parentOf(next);
    if (next === undefined) return undefined;
    if (next === ancestor) return true;
    if (next <= 1) return false;
  }
  return undefined;
}
