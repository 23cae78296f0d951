import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentPidFile } from '../../src/agent-host/process.ts';

test('without a predecessor there is nothing to wait for', async () => {
  expect(await createAgentPidFile(await newPath()).predecessorGone()).toBe(true);
});

test.each(['', 'x', '-1', '0', '1', '1.5', '99999999'])('the contents %j name no predecessor', async (contents) => {
  const path = await newPath();
  await writeFile(path, contents);
  expect(await createAgentPidFile(path).predecessorGone()).toBe(true);
});

test('a successor waits until the agent before it has ended', async () => {
  const file = createAgentPidFile(await newPath());
  const agent = spawn('sleep', ['60']);
  await once(agent, 'spawn');
  await file.note(agent.pid ?? 0);
  let isGone = false;
  const waiting = file.predecessorGone().then((gone) => {
    isGone = true;
    return gone;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isGone).toBe(false);
  agent.kill('SIGKILL');
  expect(await waiting).toBe(true);
});

test('one that does not end is looked at every 25 ms for a second and a half, and lives on', async () => {
  const waits: number[] = [];
  const passed = () => waits.reduce((sum, ms) => sum + ms, 0);
  const file = createAgentPidFile(await newPath(), {
    nowMs: passed,
    sleep: async (ms) => void waits.push(ms),
  });
  await file.note(process.pid);
  expect(await file.predecessorGone()).toBe(false);
  expect([passed(), waits.length]).toEqual([1_500, 60]);
});

test('only its owner may read the file', async () => {
  const path = await newPath();
  await createAgentPidFile(path).note(4711);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-pid-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'agent.pid');
}
