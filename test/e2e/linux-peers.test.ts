import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLinuxPeers } from '../../src/peers/linux-peers.ts';
import type { Connection } from '../../src/peers/peer.ts';

const server = createServer({ allowHalfOpen: true });
const accepted: Socket[] = [];
const uid = process.geteuid?.();

beforeAll(async () => {
  server.on('connection', (socket) => accepted.push(socket.on('error', () => undefined).resume()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  for (const socket of accepted) socket.destroy();
  server.close();
});

async function connected(host: string): Promise<{ client: Socket; connection: Connection }> {
  const { address, port } = server.address() as AddressInfo;
  const client = connect(port, host);
  await once(client, 'connect');
  const { localPort = 0 } = client;
  return { client, connection: { caller: { address, port: localPort }, daemon: { address, port } } };
}

const find = createLinuxPeers();

test.each(['127.0.0.1', '::ffff:127.0.0.1'])('tells the user and the socket of a caller at %s', async (host) => {
  const { client, connection } = await connected(host);
  const inodes = String(readFileSync('/proc/self/net/tcp')) + String(readFileSync('/proc/self/net/tcp6'));
  const peer = await find(connection);
  expect(peer).toEqual({ kind: 'user', uid, inode: expect.any(Number) });
  expect(inodes).toContain(` ${'inode' in peer ? peer.inode : ''} `);
  client.destroy();
});

test('tells the user of a caller that has closed its sending half', async () => {
  const { client, connection } = await connected('127.0.0.1');
  client.end();
  await once(client, 'finish');
  expect(await find(connection)).toMatchObject({ kind: 'user', uid });
  client.destroy();
});

test('says that a caller is gone whose socket is closed', async () => {
  const { client, connection } = await connected('127.0.0.1');
  client.destroy();
  await once(client, 'close');
  expect(await find(connection)).toEqual({ kind: 'gone' });
});
