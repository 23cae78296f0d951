import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createConnections, portOf } from '../../src/http/guarded-server.ts';

/** A server that answers nothing by itself and has places for two connections. */
async function startServer() {
  const server = createServer();
  let cuts = 0;
  const connections = createConnections({
    max: 2,
    onCut: () => {
      cuts += 1;
    },
  });
  server.on('connection', connections.opened);
  server.on('request', (request, response) => connections.began({ request, response }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  const clients: Socket[] = [];
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return {
    connections,
    cuts: () => cuts,
    /** Connects, and resolves when the server has taken the connection. */
    async open(): Promise<Socket> {
      const accepted = once(server, 'connection');
      const client = connect(port, '127.0.0.1')
        .resume()
        .on('error', () => undefined);
      clients.push(client);
      await accepted;
      return client;
    },
    async send(client: Socket, bytes: string): Promise<ServerResponse> {
      const arrived = new Promise<[IncomingMessage, ServerResponse]>((resolve) => {
        server.once('request', (request, response) => resolve([request, response]));
      });
      client.write(bytes);
      const [request, response] = await arrived;
      if (bytes === WHOLE) await once(request.resume(), 'end');
      return response;
    },
  };
}

const WHOLE = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const UNFINISHED = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';

test('beyond the limit the connection that has been idle longest is cut', async () => {
  const server = await startServer();
  const first = await server.open();
  await server.open();
  await server.open();
  await expect.poll(() => first.closed).toBe(true);
  expect(server.cuts()).toBe(1);
});

test('one whose request is not complete counts as idle', async () => {
  const server = await startServer();
  const first = await server.open();
  await server.send(first, UNFINISHED);
  const second = await server.open();
  await server.send(second, WHOLE);
  await server.open();
  await expect.poll(() => first.closed).toBe(true);
  expect([second.closed, server.cuts()]).toEqual([false, 1]);
});

test('one that is being answered is spared while another is idle', async () => {
  const server = await startServer();
  const first = await server.open();
  await server.send(first, WHOLE);
  const second = await server.open();
  const response = await server.send(second, WHOLE);
  response.end();
  await once(response, 'close');
  await server.open();
  await expect.poll(() => second.closed).toBe(true);
  expect([first.closed, server.cuts()]).toEqual([false, 1]);
});

test('where all are being answered, the one whose answer takes longest is cut and not the newcomer', async () => {
  const server = await startServer();
  const first = await server.open();
  await server.send(first, WHOLE);
  const second = await server.open();
  await server.send(second, WHOLE);
  const newcomer = await server.open();
  await expect.poll(() => first.closed).toBe(true);
  expect([second.closed, newcomer.closed, server.cuts()]).toEqual([false, false, 1]);
});

test('one of the person is never cut for others, be it idle or being answered', async () => {
  const server = await startServer();
  const answered = await server.open();
  const { req } = await server.send(answered, WHOLE);
  server.connections.ofPerson(req.socket);
  const second = await server.open();
  await server.send(second, WHOLE);
  const third = await server.open();
  await expect.poll(() => second.closed).toBe(true);
  expect([answered.closed, third.closed, server.cuts()]).toEqual([false, false, 1]);
});

test('drained waits for the answers under way, but not for ever', async () => {
  const server = await startServer();
  const response = await server.send(await server.open(), WHOLE);
  const startedAt = performance.now();
  await server.connections.drained(30);
  expect(performance.now() - startedAt).toBeGreaterThan(25);
  const drained = server.connections.drained(10_000);
  response.end('done');
  await drained;
  expect(response.writableFinished).toBe(true);
});

test('a connection of a known requester is cut for others only after all that no known requester uses', async () => {
  const server = await startServer();
  const known = await server.open();
  const { socket } = await server.send(known, WHOLE);
  if (socket === null) throw new Error('expected an open connection');
  server.connections.ofKnown(socket);
  const unknown = await server.open();
  await server.send(unknown, WHOLE);
  const next = await server.open();
  await expect.poll(() => unknown.closed).toBe(true);
  expect([known.closed, next.closed]).toEqual([false, false]);
  const { socket: other } = await server.send(next, WHOLE);
  if (other === null) throw new Error('expected an open connection');
  server.connections.ofKnown(other);
  await server.open();
  await expect.poll(() => known.closed).toBe(true);
});

test('the connections of known requesters are bounded, too', async () => {
  const server = await startServer();
  const sockets = [await server.open(), await server.open()];
  for (const each of sockets) {
    const { socket } = await server.send(each, WHOLE);
    if (socket === null) throw new Error('expected an open connection');
    server.connections.ofKnown(socket);
  }
  await server.open();
  await expect.poll(() => sockets[0]?.closed).toBe(true);
  expect(sockets[1]?.closed).toBe(false);
});
