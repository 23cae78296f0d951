import { expect, test } from 'vitest';
import { createMacosPeers, ownerOfCaller } from '../../src/peers/macos-peers.ts';

/** In the form that the manual of lsof 4.91 describes for `-F pun`: the daemon with a listening socket and one end, then a caller. */
const OUTPUT = `p411
u501
f21
n127.0.0.1:3001
f24
n127.0.0.1:3001->127.0.0.1:51000
p977
u502
f3
n127.0.0.1:51000->127.0.0.1:3001
`;

const daemon = { address: '127.0.0.1', port: 3_001 };
const from = (port: number) => ({ caller: { address: '127.0.0.1', port }, daemon });

test('the user of a caller is the one of the process that has the other end', () => {
  expect(ownerOfCaller(OUTPUT, from(51_000))).toEqual({ pid: 977, uid: 502 });
});

test('a process whose user lsof does not tell is not taken for one of the user before it', () => {
  const withoutUser = OUTPUT.replace('u502\n', '');
  expect(ownerOfCaller(withoutUser, from(51_000))).toBeUndefined();
});

test.each([51_001, 3_001, 5_100])('lsof lists nobody at port %i', (port) => {
  expect(ownerOfCaller(OUTPUT, from(port))).toBeUndefined();
});

test('a caller that lsof does not list, and a failing lsof, leave the caller unknown', async () => {
  const ports: number[] = [];
  const listing = createMacosPeers({
    list: async (port) => {
      ports.push(port);
      return OUTPUT;
    },
  });
  expect(await listing(from(51_000))).toEqual({ kind: 'user', uid: 502 });
  expect(await listing(from(51_001))).toEqual({
    kind: 'unknown',
    because: 'lsof does not list the socket of a caller',
  });
  expect(ports).toEqual([3_001, 3_001]);
  const failing = createMacosPeers({ list: () => Promise.reject(new Error('timed out')) });
  expect(await failing(from(51_000))).toEqual({ kind: 'unknown', because: 'timed out' });
});
