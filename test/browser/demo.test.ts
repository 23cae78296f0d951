import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { until } from '../desktop/processes.ts';

const root = join(import.meta.dirname, '../..');

/** The demo as `npm run demo` runs it, once the page is built. */
function startDemo(args: readonly string[], environment: Record<string, string> = {}) {
  buildPageIfNeeded();
  const child = spawn(process.execPath, ['src/demo/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code]) => Number(code));
  return { child, exited, told: textOf(child) };
}

function textOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return () => text;
}

const dataFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('handrail-demo-'));

test('the demo shows the whole life on a desktop of its own, and Guardian notices the burst', async () => {
  const before = dataFolders();
  const { exited, told } = startDemo(['--auto']);
  expect([await exited, told()]).toEqual([0, expect.stringContaining('The demo has ended.')]);
  const story = told();
  expect(story).toContain('a virtual desktop of its own. Yours is not touched.');
  expect(story).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/ and type the code [0-9A-Z]{4}-[0-9A-Z]{4}/);
  expect([...story.matchAll(/^(\d)\. /gm)].map(([, count]) => Number(count))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(story).toMatch(/Done: Access to \w+ for 5 minutes\./i);
  expect(story).toContain('Done: Clicked with the left button.');
  expect(story).toContain('Done: Typed 5 characters.');
  expect(story).toMatch(/Done: Captured the display/);
  expect(story).toContain('The task ended: success.');
  expect(story).toContain('You denied it. Nothing was done.');
  expect(story).toContain('The answer is "denied", without a second prompt');
  // How many fall into one minute, and how grave that is, depends on the machine, and on when Guardian looks.
  expect(story).toMatch(/\[\w+\] \d+ actions requested in one minute/);
  expect(story).toMatch(/Risk: \d+ of 100, \w+\./);
  expect(dataFolders().filter((name) => !before.includes(name))).toEqual([]);
}, 240_000);

/** A daemon starts for it, on a machine that may do much else. */
const STARTS_WITHIN_MS = 80_000;

test('a signal, from Ctrl-C or a closed terminal, ends the demo in order, with its daemon and its data', async () => {
  const before = dataFolders();
  const { child, exited, told } = startDemo([], { HANDRAIL_AGENT_DRIVER: 'fake' });
  const base = await until(
    'the demo prints its address',
    async () => /http:\/\/127\.0\.0\.1:\d+/.exec(told())?.[0],
    STARTS_WITHIN_MS,
  );
  await until(
    'a person is asked',
    async () => (told().includes('then choose Allow') ? true : undefined),
    STARTS_WITHIN_MS,
  );
  child.kill('SIGHUP');
  expect(await exited).toBe(0);
  expect(told()).toContain('The demo has ended.');
  await expect(fetch(`${base}/health`)).rejects.toThrow();
  expect(dataFolders().filter((name) => !before.includes(name))).toEqual([]);
});

test('the demo explains itself', async () => {
  const { exited, told } = startDemo(['--help']);
  expect([await exited, told()]).toEqual([0, expect.stringContaining('--auto')]);
});
