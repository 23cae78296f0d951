import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createIsOwnScript } from '../../src/peers/find-caller.ts';
import { createLinuxPeers } from '../../src/peers/linux-peers.ts';
import { createLinuxPrograms } from '../../src/peers/linux-programs.ts';
import type { Connection } from '../../src/peers/peer.ts';

/** A server that answers nothing, and the next connection that it accepts, as the daemon would see it. */
async function listening() {
  const server = createServer();
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  async function accepted(): Promise<Connection> {
    const [socket] = await once(server, 'connection');
    const caller = { address: '127.0.0.1', port: Number(socket.remotePort) };
    return { caller, daemon: { address: '127.0.0.1', port } };
  }
  return { port, accepted };
}

function started(program: string, args: readonly string[], options: { uid?: number; cwd?: string } = {}): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function programOf(connection: Connection, { isPassedOn = false, installation = '/nowhere' } = {}) {
  const peer = await createLinuxPeers()(connection);
  return createLinuxPrograms({ isOwnScript: createIsOwnScript(installation) })({ peer, connection, isPassedOn });
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'programs-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const uid = process.geteuid?.() ?? -1;

test('curl is named with its path, and with its parents from this process on', async () => {
  const { port, accepted } = await listening();
  const connection = accepted();
  const curl = started('curl', ['-s', `http://127.0.0.1:${port}/`]);
  const program = await programOf(await connection);
  expect(program).toMatchObject({ kind: 'program', uid, pid: curl.pid, name: 'curl' });
  expect(program).toMatchObject({ path: expect.stringMatching(/^\/.*\/curl$/) });
  expect(program).toMatchObject({ startedBy: expect.arrayContaining([expect.objectContaining({ pid: process.pid })]) });
});

test('a script of python is named beside its interpreter', async () => {
  const { port, accepted } = await listening();
  const script = join(folder(), 'my agent.py');
  writeFileSync(script, `import socket, time\ns = socket.create_connection(("127.0.0.1", ${port}))\ntime.sleep(60)\n`);
  const connection = accepted();
  const python = started('python3', ['-u', basename(script)], { cwd: join(script, '..') });
  const program = await programOf(await connection);
  expect(program).toMatchObject({ kind: 'program', pid: python.pid, script });
  expect(program).toMatchObject({ name: expect.stringMatching(/^python3/) });
});

test.each([
  ['', 0],
  [', also where it is longer than a path may be', 5_000],
])('code that an interpreter was given as an argument is no script%s', async (_what, more) => {
  const { port, accepted } = await listening();
  const connection = accepted();
  const code = `require("node:net").connect(${port}, "127.0.0.1"); setInterval(() => {}, 1000);${';'.repeat(more)}`;
  const node = started(process.execPath, ['-e', code]);
  const program = await programOf(await connection);
  expect(program).toMatchObject({ kind: 'program', pid: node.pid, name: 'node', path: process.execPath });
  expect(program).toMatchObject({ script: undefined });
});

test('a socket that a child inherited is that of the process that opened it', async () => {
  const { port, accepted } = await listening();
  const connection = accepted();
  const bash = started('bash', ['--norc', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; sleep 60; true`]);
  const found = await connection;
  await expect.poll(() => programOf(found)).toMatchObject({ kind: 'program', pid: bash.pid, name: 'bash' });
});

test('a program of another OS user is found for root, and its uid is told', async () => {
  const { port, accepted } = await listening();
  const connection = accepted();
  const child = started('bash', ['--norc', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r line <&3; true`], {
    uid: 65_534,
  });
  expect(await programOf(await connection)).toMatchObject({ kind: 'program', uid: 65_534, pid: child.pid });
});

test('a process that has ended is unknown', async () => {
  const { port, accepted } = await listening();
  const connection = accepted();
  const socket = connect(port, '127.0.0.1');
  const found = await connection;
  const peer = await createLinuxPeers()(found);
  socket.destroy();
  await once(socket, 'close');
  const program = await createLinuxPrograms()({ peer, connection: found });
  expect(program).toEqual({ kind: 'unknown', because: 'the process that called has ended, or may not be looked at' });
});

test('a caller is found again without a search, and its second socket too', async () => {
  const { port, accepted } = await listening();
  const find = createLinuxPrograms();
  for (let count = 0; count < 2; count += 1) {
    const connection = accepted();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const found = await connection;
    const peer = await createLinuxPeers()(found);
    expect(await find({ peer, connection: found })).toMatchObject({ pid: process.pid, uid });
  }
});

/** A `/proc` with one process, whose socket and start time a test can change. */
function madeUpProc() {
  const proc = folder();
  const write = (
    pid: number,
    { start, parent = 1, name = 'tool' }: { start: number; parent?: number; name?: string },
  ) => {
    mkdirSync(join(proc, String(pid), 'fd'), { recursive: true });
    const fields = ['S', parent, ...Array(17).fill(0), start, 0];
    writeFileSync(join(proc, String(pid), 'stat'), `${pid} (${name}) ${fields.join(' ')}\n`);
  };
  const open = (pid: number, inode: number) => symlinkSync(`socket:[${inode}]`, join(proc, String(pid), 'fd/3'));
  return { proc, write, open };
}

const connection = { caller: { address: '127.0.0.1', port: 1 }, daemon: { address: '127.0.0.1', port: 2 } };
const peer = { kind: 'user', uid, inode: 77 } as const;

test('the name of a process may hold brackets and spaces', async () => {
  const { proc, write, open } = madeUpProc();
  write(9, { start: 5, name: 'a) R 1 (b' });
  open(9, 77);
  expect(await createLinuxPrograms({ proc })({ peer, connection })).toMatchObject({ pid: 9, name: 'a) R 1 (b' });
});

test('a parent that started after its child is another process with a reused id, and is left out', async () => {
  const { proc, write, open } = madeUpProc();
  write(9, { start: 50, parent: 8 });
  write(8, { start: 60 });
  open(9, 77);
  expect(await createLinuxPrograms({ proc })({ peer, connection })).toMatchObject({ pid: 9, startedBy: [] });
  write(8, { start: 50 });
  expect(await createLinuxPrograms({ proc })({ peer, connection })).toMatchObject({ startedBy: [{ pid: 8 }] });
});

test('an id that passes to another process while its parents are looked at names nobody, though that one has the socket too', async () => {
  const { proc, write, open } = madeUpProc();
  write(8, { start: 4 });
  write(9, { start: 5, parent: 8 });
  open(8, 78);
  open(9, 77);
  let looks = 0;
  const now = () => {
    looks += 1;
    // The process was found and read by then, and its parent is looked at.
    if (looks > 3) write(9, { start: 500, parent: 8, name: 'other' });
    return 0;
  };
  const found = await createLinuxPrograms({ proc, now })({ peer, connection });
  expect(looks).toBeGreaterThan(3);
  expect(found).toEqual({ kind: 'unknown', because: 'the process that called has ended, or may not be looked at' });
});

test('an id that passed to another process since the last call names nobody', async () => {
  const { proc, write, open } = madeUpProc();
  write(9, { start: 5 });
  open(9, 77);
  const find = createLinuxPrograms({ proc });
  expect(await find({ peer, connection })).toMatchObject({ kind: 'program', pid: 9 });
  rmSync(join(proc, '9/fd/3'));
  write(9, { start: 500, name: 'other' });
  expect(await find({ peer, connection })).toMatchObject({ kind: 'unknown' });
});

test('a chain of parents ends after twelve', async () => {
  const { proc, write, open } = madeUpProc();
  for (let pid = 2; pid <= 20; pid += 1) write(pid, { start: pid, parent: pid - 1 });
  open(20, 77);
  const program = await createLinuxPrograms({ proc })({ peer, connection });
  expect(program).toMatchObject({ startedBy: expect.objectContaining({ length: 12 }) });
});

test("a socket that a program inherited is its parent's, under the same number or handed over as one of the first files", async () => {
  const shared = async (ofParent: number, ofChild: number) => {
    const { proc, write } = madeUpProc();
    write(8, { start: 4 });
    write(9, { start: 5, parent: 8 });
    symlinkSync('socket:[77]', join(proc, '8/fd', String(ofParent)));
    symlinkSync('socket:[77]', join(proc, '9/fd', String(ofChild)));
    return createLinuxPrograms({ proc })({ peer, connection });
  };
  expect(await shared(21, 21)).toMatchObject({ pid: 8 });
  for (const handedOver of [0, 1, 2, 3]) expect(await shared(21, handedOver)).toMatchObject({ pid: 8 });
});

test('a search through many files lets the event loop go on', async () => {
  const { proc, write, open } = madeUpProc();
  write(8, { start: 4 });
  write(9, { start: 5, parent: 8 });
  for (let file = 10; file < 200; file += 1) symlinkSync('/dev/null', join(proc, '8/fd', String(file)));
  open(9, 77);
  // Each look at this clock says that another millisecond has gone by.
  let nowMs = 0;
  const find = createLinuxPrograms({ proc, now: () => nowMs++ });
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await find({ peer, connection })).toMatchObject({ pid: 9, startedBy: [{ pid: 8 }] });
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(50);
});

test('the files of the daemon are not searched on behalf of a program that it started', async () => {
  const { proc, write, open } = madeUpProc();
  write(process.pid, { start: 4 });
  write(process.pid + 1, { start: 5, parent: process.pid });
  open(process.pid, 77);
  open(process.pid + 1, 77);
  expect(await createLinuxPrograms({ proc })({ peer, connection })).toMatchObject({ pid: process.pid + 1 });
});

test('of a process with many files the latest are looked at first, by number and not by name', async () => {
  const { proc, write } = madeUpProc();
  for (const pid of [8, 9]) write(pid, { start: 5 });
  const link = (pid: number, file: number, to: string) => symlinkSync(to, join(proc, String(pid), 'fd', String(file)));
  link(9, 3, 'socket:[77]');
  for (let file = 4; file < 30; file += 1) link(9, file, '/dev/null');
  for (let file = 4; file < 10; file += 1) link(8, file, '/dev/null');
  link(8, 21, 'socket:[77]');
  expect(await createLinuxPrograms({ proc })({ peer, connection })).toMatchObject({ pid: 8 });
});

test('a socket among the earliest files of an old process with many files is found', async () => {
  const { proc, write } = madeUpProc();
  for (const pid of [8, 9]) write(pid, { start: 5 });
  for (let file = 3; file < 200; file += 1)
    symlinkSync(file === 4 ? 'socket:[77]' : '/dev/null', join(proc, '8/fd', String(file)));
  expect(await createLinuxPrograms({ proc })({ peer, connection })).toMatchObject({ pid: 8 });
});

/** A client that starts a program of an installation of Handrail, which connects. The client runs that program by a link to it. */
async function passedOn(place: 'dist' | 'elsewhere') {
  const at = folder();
  mkdirSync(join(at, 'handrail', place), { recursive: true });
  const [command, link, client] = [
    join(at, 'handrail', place, 'cli.cjs'),
    join(at, 'handrail-link'),
    join(at, 'client.cjs'),
  ];
  const { port, accepted } = await listening();
  writeFileSync(command, `require("node:net").connect(${port}, "127.0.0.1"); setInterval(() => {}, 1000);`);
  symlinkSync(command, link);
  writeFileSync(
    client,
    `const { spawn } = require("node:child_process"); const child = spawn(process.execPath, [${JSON.stringify(link)}]);
     process.on("SIGTERM", () => { child.kill("SIGKILL"); process.exit(); });`,
  );
  const connection = accepted();
  const child = spawn(process.execPath, [client], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGTERM'));
  return { connection: await connection, child, client, link, installation: join(at, 'handrail') };
}

test('of a program that Handrail’s own command connects, the program that started the command is meant', async () => {
  const { connection, child, client, link, installation } = await passedOn('dist');
  const program = await programOf(connection, { isPassedOn: true, installation });
  expect(program).toMatchObject({ kind: 'program', pid: child.pid, script: client, through: { name: 'node' } });
  const own = await programOf(connection, { isPassedOn: false, installation });
  expect(own).toMatchObject({
    kind: 'program',
    script: link,
    startedBy: expect.arrayContaining([expect.objectContaining({ pid: child.pid })]),
  });
  expect(own).not.toHaveProperty('through');
});

test('M7: a program that only says that it passes calls on is named itself', async () => {
  const { connection, child, link, installation } = await passedOn('elsewhere');
  const program = await programOf(connection, { isPassedOn: true, installation });
  expect(program).toMatchObject({ kind: 'program', script: link });
  expect(program).not.toMatchObject({ pid: child.pid });
  expect(program).not.toHaveProperty('through');
});
