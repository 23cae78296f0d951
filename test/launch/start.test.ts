import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const START = String(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start);

/** The words of `npm start` after `exec node`, with the Node of this test as the machine's, in a process group as a terminal makes it. */
async function startIn(root: string, words: readonly string[], prepare?: (dataDirectory: string) => void) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-start-'));
  prepare?.(dataDirectory);
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: dataDirectory, HANDRAIL_AGENT_DRIVER: 'fake' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    if (isRunning(child)) process.kill(-Number(child.pid), 'SIGTERM');
    await exited;
    rmSync(dataDirectory, { recursive: true });
  });
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
  return { child, exited, base: String(line).replace('handrail listening on ', '') };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

test('npm start builds and serves the page in a folder with a space', { timeout: 120_000 }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'handrail-clone-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const clone = join(parent, 'hand rail');
  mkdirSync(clone);
  for (const name of ['src', 'agent', 'renderer', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(clone, name), { recursive: true, filter: (path) => !/\/(dist|\.vite)$/.test(path) });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const { base } = await startIn(clone, START.split(' ').slice(2));
  const page = await fetch(`${base}/`);
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'text/html; charset=utf-8',
  });
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect((await fetch(new URL(script, base))).status).toBe(200);
});

test('one Ctrl-C, which every process of the terminal gets, ends the daemon with code 0', {
  timeout: 60_000,
}, async () => {
  const { child, exited } = await startIn(ROOT, ['src/launch/launch.cjs', 'src/daemon/headless.ts']);
  process.kill(-Number(child.pid), 'SIGINT');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test('a daemon that cannot note its port in the data directory serves all the same', { timeout: 60_000 }, async () => {
  const { base } = await startIn(ROOT, ['src/launch/launch.cjs', 'dist/daemon/headless.js'], (dataDirectory) =>
    mkdirSync(join(dataDirectory, 'port')),
  );
  expect((await fetch(`${base}/health`)).status).toBe(200);
});
