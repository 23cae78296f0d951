import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { agentEnvironment } from '../../src/agent-host/process.ts';
import type { HelloParams } from '../../src/contract/link.ts';
import { type ForkedAgent, type ForkedAgentOptions, startForkedAgent } from './forked-agent.ts';
import { ACTION_A, ACTION_B, performOf, verdictsOf } from './link/rig.ts';

/** Less than the 25 s of silence after which the link counts an agent as dead: what is awaited must come of itself. */
const WAIT = { interval: 5, timeout: 20_000 };

const KEY_A = { actionId: ACTION_A, attempt: 1 };
const LONG_WAIT = { ...performOf(ACTION_A), parameters: { durationMs: 60_000 } };

test('a forked agent comes online and performs', async () => {
  const rig = await createRig();
  const hello = await rig.online();
  expect(hello).toMatchObject({ platform: 'fake', displays: [{ id: 'fake-1' }], inflight: [], unacknowledged: [] });
  rig.link.port.perform({ ...performOf(ACTION_A), actionType: 'TakeScreenshot', parameters: {} });
  const [{ outcome } = {}] = await outcomes(rig, 1);
  if (outcome?.ok !== true) throw new Error('expected a picture');
  const [picture] = outcome.attachments;
  expect(picture?.announced).toMatchObject({ mediaType: 'image/png', width: 640, height: 400 });
  expect(
    Buffer.from(picture?.bytes ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(rig.violations).toEqual([]);
});

test('rule 7: an agent killed in the middle of an action is lost at its end, before its silence tells, and the device is online again', async () => {
  const rig = await createRig();
  const first = await rig.online();
  rig.link.port.perform(LONG_WAIT);
  await vi.waitFor(() => expect(rig.accepted).toEqual([KEY_A]), WAIT);
  process.kill(first.pid, 'SIGKILL');
  await vi.waitFor(() => expect(rig.losses()).toBe(1), WAIT);
  const second = await rig.online();
  expect(second.pid).not.toBe(first.pid);
  expect(second.inflight).toEqual([]);
  expect(rig.outcomes).toEqual([]);
});

test('an agent that crashes between an effect and its answer is lost; the effect is in the ledger, once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-agent-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ledgerPath = join(folder, 'ledger');
  const rig = await createRig({ scenario: { ledgerPath, openApp: { afterEffect: { mishap: 'crash' } } } });
  await rig.online();
  rig.link.port.perform({
    ...performOf(ACTION_A),
    actionType: 'OpenApp',
    effectClass: 'idempotent',
    parameters: { appName: 'Notes' },
    targets: [{ kind: 'app', name: 'Notes', app: { appName: 'Notes', alsoKnownAs: [], risks: [] } }],
  });
  await vi.waitFor(() => expect(rig.losses()).toBe(1), WAIT);
  expect([rig.accepted, rig.outcomes]).toEqual([[KEY_A], []]);
  expect(await readFile(ledgerPath, 'utf8')).toBe('{"happened":"launch","app":"Notes"}\n');
});

test('rule 7: a stopped agent is dead by silence, lost after the grace, and replaced', async () => {
  const rig = await createRig({ limits: { heartbeatMs: 50, silenceMs: 200, graceMs: 100 } });
  const { pid } = await rig.online();
  process.kill(pid, 'SIGSTOP');
  await vi.waitFor(() => expect(rig.losses()).toBe(1), WAIT);
  const next = await rig.online();
  expect(next.pid).not.toBe(pid);
  expect(isAlive(pid)).toBe(false);
});

test('a cut link is mended with a fresh token, and what ran goes on', async () => {
  const rig = await createRig({ verdicts: verdictsOf('continue') });
  await rig.online();
  rig.link.port.perform({ ...performOf(ACTION_A), parameters: { durationMs: 2_000 } });
  await vi.waitFor(() => expect(rig.accepted).toHaveLength(1), WAIT);
  rig.cutLink();
  const [{ outcome } = {}] = await outcomes(rig, 1);
  expect(outcome).toMatchObject({ ok: true, data: { waitedMs: 2_000 } });
  expect(rig.hellos.map(({ inflight }) => inflight)).toEqual([[], [{ ...KEY_A, phase: 'accepted' }]]);
  expect(new Set(rig.hellos.map(({ bootId }) => bootId)).size).toBe(1);
  expect(rig.losses()).toBe(0);
});

test('an agent whose parent is killed is gone, in the middle of an action that hears nothing and has a minute', async () => {
  const file = fileURLToPath(new URL('agent-parent.ts', import.meta.url));
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), WAIT);
});

test('stopping ends the agent in good order: what runs is handed back first', async () => {
  const rig = await createRig();
  const { pid } = await rig.online();
  rig.link.port.perform(LONG_WAIT);
  await vi.waitFor(() => expect(rig.accepted).toHaveLength(1), WAIT);
  await rig.supervisor.stop();
  expect(isAlive(pid)).toBe(false);
  expect(rig.outcomes).toMatchObject([{ key: KEY_A, outcome: { ok: false, cancelled: true, sideEffect: 'none' } }]);
  await vi.waitFor(() => expect(rig.link.port.status()).toBe('offline'), WAIT);
});

test('a stopped process is ended all the same', async () => {
  const rig = await createRig({ stopLimits: { termAfterMs: 50, killAfterMs: 100 } });
  const { pid } = await rig.online();
  process.kill(pid, 'SIGSTOP');
  await rig.supervisor.stop();
  expect(isAlive(pid)).toBe(false);
});

test('an agent hears no Ctrl-C: its daemon ends it when the work is handed back', async () => {
  const rig = await createRig();
  const { pid } = await rig.online();
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGHUP');
  rig.link.port.perform(performOf(ACTION_A));
  await outcomes(rig, 1);
  expect(rig.losses()).toBe(0);
});

test('an agent that breaks answers what ran, says why in its log, and is replaced', async () => {
  const rig = await createRig({ scenario: { describeScreen: { afterEffect: { mishap: 'throw_outside' } } } });
  const first = await rig.online();
  rig.link.port.perform({ ...LONG_WAIT, effectClass: 'once' });
  await vi.waitFor(() => expect(rig.accepted).toHaveLength(1), WAIT);
  rig.link.port.perform({ ...performOf(ACTION_B), actionType: 'DescribeScreen', parameters: {} });
  const ends = await outcomes(rig, 2);
  expect(ends.map(({ outcome }) => outcome)).toMatchObject([
    { ok: false, cancelled: false, code: 'internal_error', sideEffect: 'none' },
    { ok: false, cancelled: false, code: 'internal_error', sideEffect: 'none' },
  ]);
  await vi.waitFor(() => expect(rig.hellos).toHaveLength(2), WAIT);
  expect(rig.hellos[1]?.pid).not.toBe(first.pid);
  expect(rig.logged.join('\n')).toContain('the agent is broken');
});

test('a broken driver fails its actions and the agent lives', async () => {
  const rig = await createRig({ scenario: { describeScreen: { beforeEffect: { mishap: 'throw' } } } });
  await rig.online();
  rig.link.port.perform({ ...performOf(ACTION_A), actionType: 'DescribeScreen', parameters: {} });
  rig.link.port.perform(performOf(ACTION_B));
  const ends = await outcomes(rig, 2);
  expect(ends.map(({ outcome }) => outcome.ok).sort()).toEqual([false, true]);
  expect(rig.losses()).toBe(0);
});

test('the token is in no argument, no environment and no log of the agent', async () => {
  const rig = await createRig();
  const { pid } = await rig.online();
  const seen = await Promise.all([readFile(`/proc/${pid}/cmdline`, 'utf8'), readFile(`/proc/${pid}/environ`, 'utf8')]);
  const [connect] = rig.sent;
  if (connect?.type !== 'connect') throw new Error('expected the first message to the agent to be connect');
  expect([...seen, ...rig.logged].filter((text) => text.includes(connect.token))).toEqual([]);
});

test('the agent gets the desktop of the environment it comes from, and no secrets', () => {
  const environment = {
    PATH: '/bin',
    HOME: '/home/x',
    LANG: 'C',
    DISPLAY: ':1',
    XDG_RUNTIME_DIR: '/run/user/1',
    AWS_SECRET_ACCESS_KEY: 'hush',
    NODE_OPTIONS: '--inspect',
    HANDRAIL_PORT: '3001',
  };
  expect(agentEnvironment(environment, { DISPLAY: ':9' })).toEqual({
    PATH: '/bin',
    HOME: '/home/x',
    LANG: 'C',
    DISPLAY: ':9',
    XDG_RUNTIME_DIR: '/run/user/1',
  });
});

type Rig = ForkedAgent & { online(): Promise<HelloParams> };

async function createRig(options: ForkedAgentOptions = {}): Promise<Rig> {
  const agent = await startForkedAgent(options);
  onTestFinished(() => agent.close());
  return {
    ...agent,
    async online() {
      await vi.waitFor(() => expect([agent.link.port.status(), agent.logged]).toEqual(['online', agent.logged]), WAIT);
      const hello = agent.hellos.at(-1);
      if (hello === undefined) throw new Error('online without a hello');
      return hello;
    },
  };
}

async function outcomes(rig: Rig, count: number): Promise<Rig['outcomes']> {
  await vi.waitFor(() => expect(rig.outcomes).toHaveLength(count), WAIT);
  return rig.outcomes;
}

/** A process that has ended but that its new parent has not yet taken note of counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
