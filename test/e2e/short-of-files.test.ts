import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { skipWithout } from '../runner/skip-without.ts';
import { isAlive, startDaemonProcess } from './daemon.ts';

/** The lowest descriptor that a process does not use. Below it there is room for none. */
function lowestFree(pid: number): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  for (let file = 0; ; file += 1) if (!open.has(file)) return file;
}

test('a daemon that has no open file left for a new agent lives, says so, and starts the agent when it has', async (context) => {
  skipWithout('Linux', context);
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  // A call that the daemon has no descriptor for is cut off.
  const checks = async () => (await daemon.health().catch(() => undefined))?.body.checks;
  await until('the agent is online', async () => (await checks())?.agent === 'online');
  const limit = (files: number | string) =>
    execFileSync('sh', ['-c', 'prlimit --pid "$0" --nofile="$1":', String(daemon.pid), String(files)]);
  const agentPid = await daemon.agentPid();
  // The agent that ends leaves room for a call, and too little for a process with its streams.
  limit(lowestFree(daemon.pid) + 1);
  process.kill(agentPid, 'SIGKILL');
  await until('it is short of files', async () => (await checks())?.processes === 'short');
  expect(await checks())?.toMatchObject({ overall: 'degraded', agent: 'starting' });
  expect(isAlive(daemon.pid)).toBe(true);
  expect(daemon.log().split('the system has no process, open file or memory left')).toHaveLength(2);
  limit(1_024);
  await until('the agent is online again', async () => (await checks())?.agent === 'online');
  expect(await checks())?.toMatchObject({ overall: 'ok', processes: 'ok' });
});
