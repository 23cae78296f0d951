import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noteDaemon, notedDaemon } from '../../src/store/database/data-directory.ts';
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
  expect([statSync(join(folder, 'port')).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
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

test('without a daemon npm run login says so and how to get a code, also beside the note of one that was killed', async () => {
  const folder = newFolder();
  const refusal = { code: 1, stdout: '', stderr: expect.stringContaining('press Enter where Handrail runs') };
  expect(await login(join(folder, 'none'))).toEqual(refusal);
  expect(await login(folder)).toEqual(refusal);
  const first = await started(folder);
  first.kill('SIGKILL');
  await first.exited;
  expect(notedDaemon(folder)).toEqual({ port: expect.any(Number), key: expect.stringMatching(/^[\w-]{43}$/) });
  expect(await login(folder)).toEqual(refusal);
  await started(folder);
  codeOf((await login(folder)).stdout);
});

test('the key of a daemon that has ended opens nothing at the next one', async () => {
  const folder = newFolder();
  const first = await started(folder);
  const before = notedDaemon(folder);
  first.kill('SIGTERM');
  expect(await first.exited).toEqual({ code: 0, signal: null });
  const next = await started(folder);
  const now = notedDaemon(folder);
  expect(now?.key).not.toBe(before?.key);
  const called = (key: string | undefined) =>
    next.call('/api/command-line/status', { body: { words: '' }, headers: { authorization: `Bearer ${key}` } });
  expect([(await called(before?.key)).status, (await called(now?.key)).status]).toEqual([404, 200]);
  noteDaemon(folder, { port: Number(now?.port), key: String(before?.key) });
  expect(await login(folder)).toMatchObject({ code: 1, stdout: '' });
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

/** A daemon in a terminal. */
function inTerminal(folder: string) {
  const { PATH, HOME } = process.env;
  const child = spawn(TERMINAL, ['-qfec', START.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    cwd: ROOT,
    env: { PATH, HOME, HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: folder, ...FAKE },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return {
    output: () => output,
    codes: () => output.match(/^code [\w-]{9}/gm) ?? [],
    base: () => String(/^dashboard (\S+?)\/?\r?$/m.exec(output)?.[1]),
    enter: () => void child.stdin.write('\n'),
    async stop() {
      child.stdin.write('\u0003');
      await exited;
    },
  };
}

test('A24: after a restart over which a session lives on, no code is good until Enter asks for one', async () => {
  const folder = newFolder();
  const first = inTerminal(folder);
  await until('the daemon is ready', async () => first.codes().length === 1 || undefined);
  const call = (base: string) => (path: string, options?: Parameters<typeof callAt>[2]) =>
    callAt<never>(base, path, options);
  const { key } = await signIn(call(first.base()), first.base(), String(first.codes()[0]?.slice(5)));
  await first.stop();
  const next = inTerminal(folder);
  await until('the daemon is ready', async () => next.output().includes('\ndesktop ') || undefined);
  const headers = { origin: next.base(), authorization: `Bearer ${key}` };
  expect((await call(next.base())('/api/console/sessions', { headers })).status).toBe(200);
  expect(next.codes()).toEqual([]);
  expect(next.output()).toContain('sign-in your session goes on; Enter prints a code for another window');
  next.enter();
  await until('a code is printed', async () => next.codes().length === 1 || undefined);
  await next.stop();
});

test('in a terminal Enter prints a fresh code, a prompt is a line, and the command line gives no code', async () => {
  const folder = newFolder();
  const { codes, output, enter, stop, base: baseNow } = inTerminal(folder);
  await until('the daemon is ready', async () => codes().length === 1 || undefined);
  enter();
  await until('a fresh code is printed', async () => codes().length === 2 || undefined);
  expect(new Set(codes()).size).toBe(2);
  const before = codes().length;
  expect(await login(folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Press Enter there'),
  });
  expect(codes()).toHaveLength(before);
  const base = baseNow();
  const body = { type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } };
  const device = await callAt<{ id: string }>(base, '/api/tee/devices/register', { userId: 'ann', body });
  await callAt(base, '/api/tee/actions', {
    userId: 'ann',
    body: { targetDeviceId: device.body.id, actionType: 'TakeScreenshot', parameters: {} },
  });
  const lines = () => output().match(/^request .+$/gm) ?? [];
  await until('the prompt is printed', async () => lines().length === 1 || undefined);
  expect(lines()[0]?.trim()).toBe(
    `request   medium risk, from "ann", answer at ${base}/ : Take a screenshot of the main display`,
  );
  await stop();
});
