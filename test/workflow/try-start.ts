import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * The second of the README's two commands, as a step of the workflow: `npm start` is ready, answers, serves its page and ends with
 * code 0 on SIGTERM. Says each step; the exit code is 1 when one fails or takes longer than two minutes.
 */

const TIMEOUT_MS = 120_000;

const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-try-'));
const child = spawn('npm', ['start', '--silent'], {
  cwd: join(import.meta.dirname, '../..'),
  env: { ...process.env, HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: dataDirectory },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
const exited = once(child, 'exit');
const overdue = setTimeout(() => endGroup('SIGKILL'), TIMEOUT_MS);

try {
  await use(await address(child));
  endGroup('SIGTERM');
  const [code] = await exited;
  if (code !== 0) throw new Error(`npm start ended with ${code}`);
  console.log('npm start ended with code 0');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (child.exitCode === null && child.signalCode === null) endGroup('SIGKILL');
  clearTimeout(overdue);
  rmSync(dataDirectory, { recursive: true, force: true });
}

/** npm passes no signals on to its children. A terminal sends them to the whole group, and so does this. */
function endGroup(signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal);
}

async function address({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('npm start has no output');
  const ended = exited.then(([code]) => {
    throw new Error(`npm start ended with ${code} before it was ready`);
  });
  const [line] = await Promise.race([once(createInterface({ input: stdout }), 'line'), ended]);
  const [, base] = /^handrail listening on (http:\/\/\S+)$/.exec(String(line)) ?? [];
  if (base === undefined) throw new Error(`the first line of npm start is ${line}`);
  console.log(line);
  return base;
}

async function use(base: string): Promise<void> {
  const health = await (await fetch(`${base}/health`)).json();
  if (Object(health).status !== 'ok') throw new Error(`its health is ${JSON.stringify(health)}`);
  const page = await fetch(`${base}/`);
  if (page.status !== 200) throw new Error(`its page answers ${page.status}`);
  console.log('its health is ok, and it serves its page');
}
