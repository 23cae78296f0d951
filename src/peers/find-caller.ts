import { createLinuxPeers } from './linux-peers.ts';
import { createLinuxPrograms } from './linux-programs.ts';
import { createMacosPeers } from './macos-peers.ts';
import { createMacosPrograms } from './macos-programs.ts';
import { createIsOwnScript } from './own-program.ts';
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
