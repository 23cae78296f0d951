import { readFile } from 'node:fs/promises';
import type { Connection, End, FindPeer, Peer } from './peer.ts';
import { sharedRead } from './shared-read.ts';

type Options = { read?: (path: string) => Promise<string> };

type SocketRow = { uid: number; inode: number };

/**
 * The row of a connection's caller in the text of `/proc/net/tcp` or `/proc/net/tcp6`. Searches the text and parses one row,
 * since the table may have thousands. Every state counts: a caller that has sent its request may close its sending half at once.
 */
export function rowOfCaller(table: string, { caller, daemon }: Connection): SocketRow | undefined {
  for (const written of [plain, mapped]) {
    const ends = `: ${written(caller)} ${written(daemon)} `;
    const at = table.indexOf(ends);
    if (at !== -1) return parsedRow(table.slice(at + ends.length, at + ends.length + ROW_LENGTH));
  }
  return undefined;
}

/** Whether the table has any socket at the daemon's address: its listening one, at least, where the table tells anything. */
export function hasDaemon(table: string, { daemon }: Connection): boolean {
  return table.includes(`: ${plain(daemon)} `);
}

/** More than the columns after the addresses can take. */
const ROW_LENGTH = 200;

/** After the addresses: state, queues, timer, retransmits, uid, timeout, inode. */
function parsedRow(text: string): SocketRow {
  const [, , , , uid, , inode] = text.trimStart().split(/\s+/);
  return { uid: Number(uid), inode: Number(inode) };
}

/** As the kernel prints `::1`: four little-endian numbers. */
const LOOPBACK_V6 = '00000000000000000000000001000000';

/** The kernel prints the four bytes of an address as one little-endian number, and the port as it is read. */
function plain({ address, port }: End): string {
  const bytes = address.split('.').map(Number).reverse();
  const written = address === '::1' ? LOOPBACK_V6 : bytes.map((byte) => hexadecimal(byte, 2)).join('');
  return `${written}:${hexadecimal(port, 4)}`;
}

/** The same address as a socket of IPv6 has it (`::ffff:127.0.0.1`): Java and others call that way. */
function mapped(end: End): string {
  return `0000000000000000FFFF0000${plain(end)}`;
}

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

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
  return row.inode === 0 ? { kind: 'gone' } : { kind: 'user', ...row }; // guard U1-2
}
