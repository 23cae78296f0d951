import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import type { FakeScenario } from '../../../agent/drivers/fake/scenario.ts';
import { agentEnvironment, createForkedAgent } from '../../../src/agent-host/process.ts';
import type { SpawnAgent } from '../../../src/agent-host/supervisor.ts';
import type { AuditResult } from '../../../src/contract/settings.ts';
import type { StepStatus, StepSubmission, Task } from '../../../src/contract/task.ts';
import { startDaemon } from '../../../src/daemon/daemon.ts';
import { BUNDLED_AGENT } from '../../agent-host/bundled-agent.ts';
import { until } from '../../desktop/processes.ts';
import { callAt, EVERYTHING, type RunningDaemon, signIn, startDaemonProcess } from '../daemon.ts';
import { type LinkProxy, startLinkProxy } from './link-proxy.ts';

/** Somewhere to speak to a daemon, whatever process it is in. */
export type Reach = Pick<RunningDaemon, 'base' | 'call'> & { signInCode: string };

/** A place for data and for the ledger of what really happened on the fake desktop. */
export type Ground = {
  dataDirectory: string;
  scenario: string;
  ledgerPath: string;
  /** What really happened, or what happened to one app: a line of JSON each. */
  ledger(app?: string): string[];
  /** The kinds of events in the journal, read from outside. */
  journal(): string[];
  /** Does something when the test has ended, whatever became of it. */
  atEnd: AtEnd;
};

type AtEnd = (work: () => Promise<void> | void) => void;

/** How long nothing at all may happen before a task counts as hanging. */
const PATIENCE_MS = 60_000;

/** A test that runs beside others brings its own `atEnd`. */
export function layGround(scenario: FakeScenario = {}, atEnd: AtEnd = onTestFinished): Ground {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-storms-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const ledgerPath = join(folder, 'ledger');
  return {
    dataDirectory: join(folder, 'data'),
    scenario: JSON.stringify({ ...scenario, ledgerPath }),
    ledgerPath,
    ledger: (app) => linesOf(ledgerPath).filter((line) => app === undefined || line.includes(`"${app}"`)),
    journal: () => journalKinds(join(folder, 'data', 'handrail.db')),
    atEnd,
  };
}

/** A daemon as users run it, on a ground that may have seen others. It is gone when the test ends, whatever became of it. */
export async function startOn(ground: Ground): Promise<RunningDaemon> {
  const environment = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: ground.scenario };
  const daemon = await startDaemonProcess(environment, ground.dataDirectory);
  ground.atEnd(async () => {
    daemon.kill('SIGCONT');
    daemon.kill('SIGKILL');
    await daemon.exited;
  });
  await daemon.agentOnline();
  return daemon;
}

/** A daemon in this process, with a real agent process that reaches it through a proxy. */
export async function startBehindProxy(
  ground: Ground,
): Promise<{ reach: Reach; proxy: LinkProxy; agentPids: number[] }> {
  const proxy = await startLinkProxy();
  const agentPids: number[] = [];
  const environment = agentEnvironment(process.env, {
    HANDRAIL_AGENT_DRIVER: 'fake',
    HANDRAIL_FAKE_SCENARIO: ground.scenario,
  });
  const started = (pid: number) => void agentPids.push(pid);
  const daemon = await startDaemon({
    settings: { port: 0, dataDirectory: ground.dataDirectory, logLevel: 'silent', rateLimits: 'off', allowOsUsers: [] },
    log: SILENT,
    environment: { ...process.env, HANDRAIL_AGENT_DRIVER: 'fake' },
    spawnAgent: () => through(proxy, createForkedAgent(environment, { entry: BUNDLED_AGENT, started })),
  });
  ground.atEnd(async () => {
    proxy.refuse(false);
    await daemon.close();
    await proxy.close();
  });
  const base = `http://127.0.0.1:${daemon.port}`;
  const signInCode = daemon.createSignInCode();
  const reach: Reach = { base, signInCode, call: (path, options) => callAt(base, path, options) };
  await until('the agent is online', async () => (await agentStatus(reach)) === 'online');
  return { reach, proxy, agentPids };
}

export async function agentStatus({ call }: Pick<Reach, 'call'>): Promise<string> {
  return (await call<{ checks: { agent: string } }>('/health')).body.checks.agent;
}

function through(proxy: LinkProxy, spawn: SpawnAgent): SpawnAgent {
  return (events) => {
    const child = spawn(events);
    return {
      kill: child.kill,
      send: (message) => child.send(message.type === 'connect' ? { ...message, url: proxy.url(message.url) } : message),
    };
  };
}

export type Person = {
  resolve(task: Task, stepId: string, resolution: 'happened' | 'did_not_happen' | 'again'): Promise<void>;
  resume(): Promise<void>;
  verifiedJournal(): Promise<AuditResult>;
};

/** Registers a desk for `ann`, whom the person trusts with everything that happens here. */
export async function settleIn(reach: Reach): Promise<{ deviceId: string; person: Person }> {
  const onConsole = await signIn(reach.call, reach.base, reach.signInCode);
  await onConsole.call('/users/ann/profile', { method: 'PUT', body: { profile: 'trusted' } });
  const registration = { type: 'linux', name: 'Desk', capabilities: EVERYTHING };
  const { body } = await reach.call<{ id: string }>('/api/tee/devices/register', { userId: 'ann', body: registration });
  return {
    deviceId: body.id,
    person: {
      async resume() {
        expect(await onConsole.call('/resume', { method: 'POST' })).toMatchObject({ status: 200 });
      },
      async resolve({ taskId }, stepId, resolution) {
        const path = `/tasks/${taskId}/steps/${stepId}/resolve`;
        expect(await onConsole.call(path, { body: { resolution } })).toMatchObject({ status: 200 });
      },
      async verifiedJournal() {
        return (await onConsole.call<AuditResult>('/audit/verify')).body;
      },
    },
  };
}

/** A read, something that may be done twice, something that may not, and what follows from them. */
export function stormSteps(deviceId: string, { readMs = 300 } = {}): StepSubmission[] {
  return [
    ...calmSteps(deviceId, { readMs }).slice(0, 2),
    stepOf(deviceId, { id: 'quit', actionType: 'QuitApp', parameters: { appName: 'Keyring' }, dependsOn: ['open'] }),
    stepOf(deviceId, { id: 'look', actionType: 'DescribeScreen', parameters: {}, dependsOn: ['quit'] }),
    stepOf(deviceId, { id: 'last', parameters: { durationMs: 0 }, dependsOn: ['look', 'read'] }),
  ];
}

/** Steps that may all be done twice. */
export function calmSteps(deviceId: string, { readMs = 300 } = {}): StepSubmission[] {
  return [
    stepOf(deviceId, { id: 'open', actionType: 'OpenApp', parameters: { appName: 'Text Editor' } }),
    stepOf(deviceId, { id: 'read', parameters: { durationMs: readMs } }),
    stepOf(deviceId, { id: 'last', parameters: { durationMs: 0 }, dependsOn: ['open', 'read'] }),
  ];
}

function stepOf(
  targetDeviceId: string,
  step: Omit<StepSubmission, 'targetDeviceId' | 'actionType'> & { actionType?: string },
): StepSubmission {
  return { actionType: 'Wait', targetDeviceId, ...step };
}

export async function submitted(reach: Pick<Reach, 'call'>, steps: StepSubmission[]): Promise<Task> {
  const { status, body } = await reach.call<Task>('/api/tee/tasks', { userId: 'ann', body: { steps } });
  // 200 where all steps have ended by the time of the answer.
  expect([200, 202], JSON.stringify(body)).toContain(status);
  return body;
}

export async function taskNow(reach: Pick<Reach, 'call'>, { taskId }: Pick<Task, 'taskId'>): Promise<Task> {
  const { status, body } = await reach.call<Task>(`/api/tee/tasks/${taskId}`, { userId: 'ann' });
  expect(status).toBe(200);
  expectToAddUp(body);
  return body;
}

/** The task, as soon as its steps are so. */
export function untilStep(reach: Pick<Reach, 'call'>, task: Task, stepId: string, status: StepStatus): Promise<Task> {
  return until(
    `${stepId} is ${status}`,
    async () => {
      const now = await taskNow(reach, task);
      return now.steps.find(({ id }) => id === stepId)?.status === status && now;
    },
    PATIENCE_MS,
  );
}

export function untilEnded(reach: Pick<Reach, 'call'>, task: Task): Promise<Task> {
  return until(
    'the task ends',
    async () => {
      const now = await taskNow(reach, task);
      return now.finishedAt !== undefined && now;
    },
    PATIENCE_MS,
  );
}

export function statuses({ steps }: Task): Record<string, string> {
  return Object.fromEntries(steps.map(({ id, status }) => [id, status]));
}

export function attempts({ steps }: Task): Record<string, number> {
  return Object.fromEntries(steps.map((step) => [step.id, step.attempts]));
}

/** How often each step of these tasks is begun when nothing is begun twice. */
export const ONCE_EACH = { open: 1, read: 1, quit: 1, look: 1, last: 1 };

export const ALL_DONE = { open: 'success', read: 'success', quit: 'success', look: 'success', last: 'success' };

const ENDED = ['success', 'failed', 'skipped', 'cancelled', 'denied', 'expired', 'blocked'];

/** What the record says of a task follows from what it says of its steps. */
function expectToAddUp({ status, steps, progress, finishedAt }: Task): void {
  const ended = steps.filter((step) => ENDED.includes(step.status));
  const { byStatus } = progress;
  expect(progress).toEqual({ done: ended.length, total: steps.length, byStatus });
  expect(Object.values(byStatus).reduce((sum, count) => sum + count, 0)).toBe(steps.length);
  expect(finishedAt !== undefined).toBe(ended.length === steps.length);
  expect(status === 'needs_attention').toBe(steps.some((step) => step.status === 'unknown'));
}

function journalKinds(path: string): string[] {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  const kinds = database.prepare('SELECT kind FROM journal ORDER BY seq').pluck().all();
  database.close();
  return kinds.map(String);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

const quiet = () => undefined;
const SILENT = { info: quiet, warn: quiet, error: quiet };
