import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import websocket from '@fastify/websocket';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import type { WebSocket } from 'ws';

/**
 * The least that a daemon of this shape does for one action, and nothing else: HTTP, a transaction with the action and two events,
 * the agent's socket, a transaction with its end and one event. No identity, risk, prompt, journal hash or Guardian.
 * It sends its port to its parent process, and ends with it.
 */
const database = new Database(join(mkdtempSync(join(tmpdir(), 'handrail-floor-')), 'floor.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = NORMAL');
database.exec(`CREATE TABLE actions (id INTEGER PRIMARY KEY, status TEXT, body TEXT, at_ms REAL);
  CREATE TABLE events (id INTEGER PRIMARY KEY, action INTEGER, kind TEXT, body TEXT, at_ms REAL)`);
const insert = database.prepare('INSERT INTO actions (status, body, at_ms) VALUES (?, ?, ?)');
const event = database.prepare('INSERT INTO events (action, kind, body, at_ms) VALUES (?, ?, ?, ?)');
const update = database.prepare('UPDATE actions SET status = ? WHERE id = ?');
const begin = database.transaction((body: string): number => {
  const id = Number(insert.run('running', body, Date.now()).lastInsertRowid);
  for (const kind of ['submitted', 'dispatched']) event.run(id, kind, body, Date.now());
  return id;
});
const end = database.transaction((id: number, result: string): void => {
  update.run('success', id);
  event.run(id, 'success', result, Date.now());
});

const waiting = new Map<number, (result: { details: string }) => void>();
let agent: WebSocket | undefined;
const app = Fastify();
await app.register(websocket);
app.get('/agent', { websocket: true }, (socket) => {
  agent = socket;
  socket.on('message', (message) => {
    const { id, result } = JSON.parse(String(message));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
});
app.get('/health', async () => ({ ready: agent !== undefined }));
app.post('/actions', async ({ body }) => {
  const id = begin(JSON.stringify(body));
  const result = await new Promise<{ details: string }>((resolve) => {
    waiting.set(id, resolve);
    agent?.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'execute', params: body }));
  });
  end(id, JSON.stringify(result));
  return { status: 'success', details: result.details, actionId: id };
});
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
const child = fork(fileURLToPath(new URL('./floor-agent.ts', import.meta.url)), [String(port)]);
process.on('disconnect', () => {
  child.kill();
  process.exit();
});
process.send?.({ port });
