import { expect, test } from 'vitest';
import { hasDaemon, rowOfCaller } from '../../src/peers/linux-peers.ts';

/** Recorded on Linux 6.18: the daemon's listening socket, both ends of a connection, and one that its process has closed. */
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 64485 1 000000008c31ff01 100 0 0 10 0
   1: 0100007F:0BB9 0100007F:C738 01 00000000:00000000 00:00000000 00000000  1000        0 64490 1 000000008c31ff02 20 4 30 10 -1
   2: 0100007F:C738 0100007F:0BB9 01 00000000:00000000 00:00000000 00000000 65534        0 64489 2 000000008c31ff03 20 4 28 10 -1
   3: 0100007F:C73A 0100007F:0BB9 05 00000000:00000000 00:00000000 00000000  1001        0 64495 1 000000008c31ff04 20 4 28 10 -1
   4: 0100007F:C73C 0100007F:0BB9 06 00000000:00000000 03:00001770 00000000     0        0 0 3 000000008c31ff05
   5: 0200007F:C738 0100007F:0BB9 01 00000000:00000000 00:00000000 00000000  1002        0 64497 1 000000008c31ff06 20 4 28 10 -1
`;

const TABLE_OF_IPV6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:C738 0000000000000000FFFF00000100007F:0BB9 01 00000000:00000000 00:00000000 00000000 65534        0 64501 1 000000008c31ff07 20 4 28 10 -1
   1: 00000000000000000000000001000000:C73A 00000000000000000000000001000000:0BB9 01 00000000:00000000 00:00000000 00000000  1003        0 64502 1 000000008c31ff08 20 4 28 10 -1
`;

const daemon = { address: '127.0.0.1', port: 3_001 };
const from = (port: number, address = '127.0.0.1') => ({ caller: { address, port }, daemon });

test.each([
  ['of a connection is the one at the end of the caller', 51_000, { uid: 65_534, inode: 64_489 }],
  ['whose sending half is closed counts, too', 51_002, { uid: 1_001, inode: 64_495 }],
  ['of a socket that its process has closed has no inode', 51_004, { uid: 0, inode: 0 }],
])('the row %s', (_title, port, row) => {
  expect(rowOfCaller(TABLE, from(port))).toEqual(row);
});

test('callers of the same port at different loopback addresses are told apart', () => {
  expect(rowOfCaller(TABLE, from(51_000, '127.0.0.2'))).toEqual({ uid: 1_002, inode: 64_497 });
});

test.each([51_001, 3_001, 5_100])('there is no row for a caller at port %i', (port) => {
  expect(rowOfCaller(TABLE, from(port))).toBeUndefined();
});

test('a caller with a socket of IPv6 is found at its IPv4 address', () => {
  expect(rowOfCaller(TABLE_OF_IPV6, from(51_000))).toEqual({ uid: 65_534, inode: 64_501 });
});

test('a caller at ::1 is found', () => {
  const connection = { caller: { address: '::1', port: 51_002 }, daemon: { address: '::1', port: 3_001 } };
  expect(rowOfCaller(TABLE_OF_IPV6, connection)).toEqual({ uid: 1_003, inode: 64_502 });
  expect(hasDaemon(TABLE_OF_IPV6, connection)).toBe(false);
});

test('a table tells anything where it has the socket that the daemon listens on', () => {
  expect(hasDaemon(TABLE, from(1))).toBe(true);
  expect(hasDaemon(TABLE, { ...from(1), daemon: { ...daemon, port: 3_002 } })).toBe(false);
});
