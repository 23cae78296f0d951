import type { Connection, End } from './peer.ts';

export type SocketRow = { uid: number; inode: number };

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
