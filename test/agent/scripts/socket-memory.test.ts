import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { socketMemoryOf } from '../../../agent/scripts/process-tree.ts';
import { skipWithout } from '../../runner/skip-without.ts';

const ROW =
  '   1: 0100007F:9D45 0100007F:ABCD 01 00010000:0000FFFF 01:00000014 00000000     0        0 142130 1 0000 100 0 0 10 0';
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

/** What Linux 6.18 wrote, but for the numbers. */
function kernel(more: Record<string, string>) {
  const files: Record<string, string> = {
    '/proc/7/net/sockstat': 'sockets: used 12\nTCP: inuse 2 orphan 0 tw 0 alloc 5 mem 441\nUDP: inuse 1 mem 2\n',
    '/proc/7/net/sockstat6': 'TCP6: inuse 1\nUDP6: inuse 0\n',
    '/proc/sys/net/core/wmem_default': '212992\n',
    '/proc/sys/net/core/rmem_default': '1000\n',
    ...more,
  };
  return (path: string) => files[path] ?? '';
}

const TABLES = { '/proc/7/net/tcp': [HEAD, ROW, ROW].join('\n'), '/proc/7/net/tcp6': [HEAD, ROW].join('\n') };

test('a socket counts with the buffer of a new one, and one of TCP with less', () => {
  expect(socketMemoryOf(7, kernel(TABLES))).toBe(9 * 212_992 + 3 * 65_536);
});

test('of many connections the bytes that wait count', () => {
  const sockstat = 'sockets: used 12\nTCP: inuse 11 orphan 0 tw 0 alloc 5 mem 441\n';
  const expected = 12 * 65_536 + 3 * (0x1_0000 + 0xff_ff);
  expect(socketMemoryOf(7, kernel({ ...TABLES, '/proc/7/net/sockstat': sockstat }))).toBe(expected);
});

test('a process that has ended has no sockets', () => {
  expect(socketMemoryOf(8, kernel({}))).toBe(0);
});

test('bytes that nobody reads are found in the tables of this kernel', async (context) => {
  skipWithout('Linux', context);
  // The tables are those of all programs of the machine, so what was there before cannot be taken off.
  const child = spawn(process.execPath, ['-e', UNREAD]);
  onTestFinished(() => void child.kill());
  await expect.poll(() => socketMemoryOf(child.pid ?? 0)).toBeGreaterThan(10 * 100_000);
});

/** Ten connections whose bytes nobody reads. */
const UNREAD = `
  const { connect, createServer } = require('node:net');
  const server = createServer((socket) => socket.pause());
  server.listen(0, '127.0.0.1', () => {
    const sockets = Array.from({ length: 10 }, () => connect(server.address().port, '127.0.0.1'));
    for (const socket of sockets) socket.write(Buffer.alloc(4_000_000));
  });
`;
