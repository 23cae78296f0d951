import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import { isAlive, type RunningDaemon, startDaemonProcess } from './daemon.ts';

const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake' };

async function ownDaemon(): Promise<RunningDaemon> {
  const daemon = await startDaemonProcess(FAKE);
  onTestFinished(daemon.stop);
  return daemon;
}

const wait = (deviceId: string, durationMs: number) => ({
  targetDeviceId: deviceId,
  actionType: 'Wait',
  parameters: { durationMs },
});

/** One daemon for the tests that only look at it from outside. */
let looked: Promise<RunningDaemon> | undefined;
const lookedAt = () => (looked ??= startDaemonProcess(FAKE));
afterAll(async () => (await looked)?.stop());

test('prints its four lines and nothing else on standard output', async () => {
  const daemon = await lookedAt();
  expect(daemon.readyLines).toEqual([
    `handrail listening on http://127.0.0.1:${daemon.port}`,
    `dashboard http://127.0.0.1:${daemon.port}/`,
    expect.stringMatching(/^code [2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{4}$/),
    'desktop simulated, for tests',
  ]);
});

test('A39: no signal of another program opens the inspector of the daemon or of its agent', async () => {
  const daemon = await lookedAt();
  await daemon.agentOnline();
  const pids = [daemon.pid, await daemon.agentPid()];
  for (const pid of pids) process.kill(pid, 'SIGUSR1');
  expect(pids.map(isCaught)).toEqual([false, false]);
  await daemon.agentOnline();
  expect(await daemon.agentPid()).toBe(pids[1]);
  expect(daemon.log()).not.toContain('Debugger');
});

const SIGUSR1 = 10n;

/** Whether a process handles the signal, as the kernel tells it. */
function isCaught(pid: number): boolean {
  const [, caught] = /^SigCgt:\s*([0-9a-f]+)$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return ((BigInt(`0x${caught}`) >> (SIGUSR1 - 1n)) & 1n) === 1n;
}

test('an action sent the moment the daemon is ready succeeds', async () => {
  const daemon = await ownDaemon();
  const device = await daemon.register();
  const answer = await daemon.submit(wait(device.id, 0));
  expect(answer).toMatchObject({ status: 200, body: { status: 'success', effect: 'none' } });
});

test('kill -9 of the agent ends what it was doing, and it is back, both before its silence would tell', async () => {
  const daemon = await ownDaemon();
  const device = await daemon.register();
  const held = daemon.submit(wait(device.id, 60_000));
  const agentPid = await daemon.agentPid();
  await until('the action runs', async () => {
    const { body } = await daemon.call<{ items: Action[] }>('/api/tee/actions?status=running', { userId: 'ann' });
    return body.items.length === 1 || undefined;
  });
  process.kill(agentPid, 'SIGKILL');
  const [answer] = await Promise.all([
    held,
    until('the agent is missed', async () => (await daemon.health()).body.checks.agent !== 'online'),
  ]);
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'failed', error: { code: 'agent_unavailable', retryable: true } },
  });
  await daemon.agentOnline();
  expect(await daemon.agentPid()).not.toBe(agentPid);
  expect(await daemon.submit(wait(device.id, 0))).toMatchObject({ status: 200, body: { status: 'success' } });
});

test('kill -9 of the daemon takes the agent with it', async () => {
  const daemon = await startDaemonProcess(FAKE);
  await daemon.register();
  const agentPid = await daemon.agentPid();
  daemon.kill('SIGKILL');
  await daemon.exited;
  await until('the agent has ended', async () => !isAlive(agentPid) || undefined);
});

test('a daemon that was killed is followed by one that knows what was under way', async () => {
  const first = await startDaemonProcess(FAKE);
  const device = await first.register();
  const { body: running } = await first.submit(wait(device.id, 60_000), { headers: { prefer: 'respond-async' } });
  first.kill('SIGKILL');
  await first.exited;
  const second = await startDaemonProcess(FAKE, first.dataDirectory);
  const { body } = await second.call<Action>(`/api/tee/actions/${running.actionId}`, { userId: 'ann' });
  expect(body).toMatchObject({ status: 'failed', error: { code: 'agent_unavailable' } });
  await second.stop();
});

test('a second daemon on the same data refuses to start and says who holds it', async () => {
  const daemon = await lookedAt();
  const second = startDaemonProcess(FAKE, daemon.dataDirectory);
  await expect(second).rejects.toThrow(new RegExp(`in use by the daemon with process id ${daemon.pid}`));
});

test('a taken port is an error that names it', async () => {
  const daemon = await lookedAt();
  const second = startDaemonProcess({ ...FAKE, HANDRAIL_PORT: String(daemon.port) });
  await expect(second).rejects.toThrow(
    new RegExp(
      `Port ${daemon.port} on 127\\.0\\.0\\.1 is taken.*The other program is a Handrail: http://127\\.0\\.0\\.1:${daemon.port}/`,
    ),
  );
});

test('SIGTERM calls off what runs, expires what waits, ends the agent and exits 0', async () => {
  const daemon = await startDaemonProcess(FAKE);
  const device = await daemon.register();
  const agentPid = await daemon.agentPid();
  const held = daemon.submit(wait(device.id, 60_000));
  const waiting = await daemon.submit({ targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters: {} });
  daemon.kill('SIGTERM');
  expect(await held).toMatchObject({ body: { status: 'cancelled' } });
  expect(await daemon.exited).toEqual({ code: 0, signal: null });
  expect(isAlive(agentPid)).toBe(false);
  const after = await startDaemonProcess(FAKE, daemon.dataDirectory);
  const { body } = await after.call<Action>(`/api/tee/actions/${waiting.body.actionId}`, { userId: 'ann' });
  expect(body.status).toBe('expired');
  await after.stop();
  expect(existsSync(daemon.dataDirectory)).toBe(false);
});
