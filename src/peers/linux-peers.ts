import { readFile } from 'node:fs/promises';
import type { Connection, FindPeer, Peer } from './peer.ts';
import { sharedRead } from './shared-read.ts';
import { hasDaemon, rowOfCaller, type SocketRow } from './socket-table.ts';

type Options = { read?: (path: string) => Promise<string> };

/**
 * Finds callers in the kernel's table of sockets. The kernel goes through its whole hash table for each read, which takes milliseconds
 * on a machine with much memory, so reads run outside of the event loop, and connections that come together share one.
 */
export function createLinuxPeers({ read = (path) => readFile(path, 'latin1') }: Options = {}): FindPeer {
  const tcp = sharedRead(() => read('/proc/net/tcp'));
  const tcp6 = sharedRead(() => read('/proc/net/tcp6'));

  async function look(connection: Connection): Promise<Peer> {
    const table = await tcp();
    const inFirst = rowOfCaller(table, connection);
    // Only a caller that is not in the first table can be in the second, which a kernel without IPv6 lacks.
    const second = inFirst === undefined ? await tcp6().catch(() => '') : '';
    const row = inFirst ?? rowOfCaller(second, connection);
    if (row !== undefined) return peerOf(row);
    if (hasDaemon(table + second, connection)) return { kind: 'gone' };
    return { kind: 'unknown', because: '/proc/net/tcp does not list the sockets of this daemon' };
  }

  return async (connection) => {
    try {
      const peer = await look(connection);
      // The table is not read in one piece, so a row may be passed over while others come and go.
      return peer.kind === 'gone' ? await look(connection) : peer;
    } catch (error) {
      return { kind: 'unknown', because: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** A socket that its process has closed belongs to nobody: the kernel says uid 0 and inode 0, which is not root. */
function peerOf(row: SocketRow): Peer {
  return row.inode === 0 ? { kind: 'gone' } : { kind: 'user', ...row };
}
