import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signInSocketPath } from '../../src/own-daemon/sign-in-socket.ts';
import { until } from '../desktop/processes.ts';
import { callAt, type RunningDaemon, START, signIn, startDaemonProcess } from './daemon.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The script behind `npm run login`, without the launcher in front of it. */
const LOGIN = String(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    .scripts.login.split(' ')
    .at(-1),
);
/** Runs a command in a terminal of its own (util-linux). */
const TERMINAL = '/usr/bin/script';
const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake' };
const CODE = /^code [2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{4}\n$/;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-login-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function login(dataDirectory: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, HANDRAIL_DATA_DIR: dataDirectory };
  return new Promise((resolve) => {
    execFile(process.execPath, [LOGIN], { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

function codeOf(stdout: string): string {
  expect(stdout).toMatch(CODE);
  return stdout.slice('code '.length).trim();
}

async function started(dataDirectory: string): Promise<RunningDaemon> {
  const daemon = await startDaemonProcess(FAKE, dataDirectory);
  onTestFinished(async () => {
    daemon.kill('SIGKILL');
    await daemon.exited;
  });
  return daemon;
}

test('npm run login prints a fresh code of a daemon without a terminal, and the printed one ends', async () => {
  const folder = newFolder();
  const daemon = await started(folder);
  const socket = statSync(join(folder, 'sign-in.sock'));
  expect([socket.isSocket(), socket.mode & 0o777, statSync(folder).mode & 0o777]).toEqual([true, 0o600, 0o700]);
  const { code, stdout, stderr } = await login(folder);
  expect([code, stderr]).toEqual([0, '']);
  const person = await signIn(daemon.call, daemon.base, codeOf(stdout));
  expect(await person.prompts()).toEqual([]);
  const late = await daemon.call('/api/console/session', {
    body: { code: daemon.signInCode },
    headers: { origin: daemon.base },
  });
  expect(late.status).toBe(401);
  expect(daemon.log()).not.toContain(codeOf(stdout));
});

test('without a daemon npm run login says so and how to get a code, also beside the socket of one that was killed', async () => {
  const folder = newFolder();
  const refusal = { code: 1, stdout: '', stderr: expect.stringContaining('press Enter where Handrail runs') };
  expect(await login(join(folder, 'none'))).toEqual(refusal);
  expect(await login(folder)).toEqual(refusal);
  const first = await started(folder);
  first.kill('SIGKILL');
  await first.exited;
  expect(statSync(join(folder, 'sign-in.sock')).isSocket()).toBe(true);
  expect(await login(folder)).toEqual(refusal);
  await started(folder);
  codeOf((await login(folder)).stdout);
});

test('a daemon that ends takes its socket with it', async () => {
  const folder = newFolder();
  const daemon = await started(folder);
  daemon.kill('SIGTERM');
  expect(await daemon.exited).toEqual({ code: 0, signal: null });
  expect(statSync(join(folder, 'sign-in.sock'), { throwIfNoEntry: false })).toBeUndefined();
});

test('where the path of the data directory is too long for a socket, a private folder in /tmp holds it', async () => {
  const folder = join(newFolder(), 'long'.repeat(30));
  mkdirSync(folder, { mode: 0o700 });
  const path = signInSocketPath(folder);
  onTestFinished(() => rmSync(join(path, '..'), { recursive: true, force: true }));
  expect(path).toMatch(/^\/tmp\/handrail-\d+-[0-9a-f]{16}\/sign-in\.sock$/);
  await started(folder);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  codeOf((await login(folder)).stdout);
});

test('a file in the place of the socket is left alone: the daemon runs without npm run login and logs why', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'sign-in.sock'), 'mine');
  const daemon = await started(folder);
  expect((await daemon.health()).status).toBe(200);
  expect(readFileSync(join(folder, 'sign-in.sock'), 'utf8')).toBe('mine');
  expect(daemon.log()).toContain('should be a socket. Remove it and start again.');
});

test('with its output in a file, as nohup has it, the daemon stores no code there, and npm run login gives one', async () => {
  const folder = newFolder();
  const output = join(newFolder(), 'nohup.out');
  const file = openSync(output, 'w');
  const [program = '', ...args] = START;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HANDRAIL_PORT: '0',
    HANDRAIL_DATA_DIR: folder,
    ...FAKE,
  };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', file, file] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await until('the daemon is ready', async () => readFileSync(output, 'utf8').includes('dashboard ') || undefined);
  const code = codeOf((await login(folder)).stdout);
  expect(readFileSync(output, 'utf8')).toMatch(
    /^handrail listening on .+\ndashboard \S+\nsign-in `handrail login` \(from a clone `npm run login`\) prints a code\n/m,
  );
  expect(readFileSync(output, 'utf8')).not.toMatch(/^code /m);
  expect(readFileSync(output, 'utf8')).not.toContain(code);
});

test('in a terminal Enter prints a fresh code, a prompt is a line, and the socket gives no code', async () => {
  const folder = newFolder();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HANDRAIL_PORT: '0',
    HANDRAIL_DATA_DIR: folder,
    ...FAKE,
  };
  const child = spawn(TERMINAL, ['-qfec', START.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    cwd: ROOT,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const codes = () => output.match(/^code \S+/gm) ?? [];
  await until('the daemon is ready', async () => codes().length === 1 || undefined);
  child.stdin.write('\n');
  await until('a fresh code is printed', async () => codes().length === 2 || undefined);
  expect(new Set(codes()).size).toBe(2);
  const before = codes().length;
  expect(await login(folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Press Enter there'),
  });
  expect(codes()).toHaveLength(before);
  const base = String(/^dashboard (\S+?)\/?\r?$/m.exec(output)?.[1]);
  const body = { type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } };
  const device = await callAt<{ id: string }>(base, '/api/tee/devices/register', { userId: 'ann', body });
  await callAt(base, '/api/tee/actions', {
    userId: 'ann',
    body: { targetDeviceId: device.body.id, actionType: 'TakeScreenshot', parameters: {} },
  });
  const lines = () => output.match(/^request .+$/gm) ?? [];
  await until('the prompt is printed', async () => lines().length === 1 || undefined);
  expect(lines()[0]?.trim()).toBe(
    `request   medium risk, from "ann", answer at ${base}/ : Take a screenshot of the main display`,
  );
  child.stdin.write('\u0003');
  await exited;
});
