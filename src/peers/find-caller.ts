import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createLinuxPeers } from './linux-peers.ts';
import { createLinuxPrograms, type IsOwnScript } from './linux-programs.ts';
import { createMacosPeers } from './macos-peers.ts';
import { createMacosPrograms } from './macos-programs.ts';
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
