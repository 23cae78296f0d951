import { createLinuxPeers } from './linux-peers.ts';
import { createMacosPeers } from './macos-peers.ts';
import type { FindPeer } from './peer.ts';

/** Tells who calls, as far as this system tells it. */
export function createFindPeer(platform: NodeJS.Platform): FindPeer {
  if (platform === 'linux') return createLinuxPeers();
  if (platform === 'darwin') return createMacosPeers();
  return async () => ({ kind: 'unknown', because: `${platform} is not supported` });
}
