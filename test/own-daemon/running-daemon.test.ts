import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { portOf } from '../../src/http/guarded-server.ts';
import { findRunningDaemon, startFailureOf } from '../../src/own-daemon/running-daemon.ts';
import { noteDaemon } from '../../src/store/database/data-directory.ts';
import { startDaemonInProcess } from '../shell/daemon-in-process.ts';

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-running-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A program of somebody else that answers on a port of its own. */
async function stranger(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

test.each([
  ['port', Object.assign(new Error('taken', { cause: { code: 'EADDRINUSE' } }), { name: 'ListenError' })],
  ['other', Object.assign(new Error('refused', { cause: { code: 'EACCES' } }), { name: 'ListenError' })],
  ['other', Object.assign(new Error('no cause'), { name: 'ListenError' })],
  ['data', Object.assign(new Error('held'), { name: 'DataDirectoryInUse' })],
  ['other', new Error('disk full')],
  ['other', 'not an error'],
] as const)('a start fails because of: %s', (failure, error) => {
  expect(startFailureOf(error)).toBe(failure);
});

test('a daemon of ours is found at the port of the settings, and at the port that its data directory notes', async () => {
  const rig = await startDaemonInProcess();
  onTestFinished(() => rig.end());
  const found = { dashboardAddress: rig.daemon.dashboardAddress };
  expect(await findRunningDaemon({ port: rig.daemon.port, dataDirectory: folderOfTest() })).toEqual(found);
  const noted = folderOfTest();
  noteDaemon(noted, { port: rig.daemon.port });
  expect(await findRunningDaemon({ port: 0, dataDirectory: noted })).toEqual(found);
  expect(
    await findRunningDaemon({ port: await stranger((_, answer) => answer.end('{}')), dataDirectory: noted }),
  ).toEqual(found);
});

test.each<[string, RequestListener]>([
  ['answers something else', (_request, answer) => answer.end('{"status":"ok"}')],
  ['answers no JSON', (_request, answer) => answer.end('<html>')],
  ['sends us elsewhere', (_request, answer) => answer.writeHead(302, { location: 'http://127.0.0.1:9/health' }).end()],
  ['breaks the connection', (request) => request.socket.destroy()],
  ['never answers', () => undefined],
])('a stranger that %s is no daemon of ours', async (_what, answer) => {
  expect(await findRunningDaemon({ port: await stranger(answer), dataDirectory: folderOfTest() })).toBe(undefined);
});

test('nothing is found where nothing listens and no port is known', async () => {
  expect(await findRunningDaemon({ port: 0, dataDirectory: folderOfTest() })).toBe(undefined);
  expect(await findRunningDaemon({ port: 1, dataDirectory: folderOfTest() })).toBe(undefined);
});
