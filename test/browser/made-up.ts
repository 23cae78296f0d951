import { createHash, randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import type { Action } from '../../src/contract/action.ts';
import type { ActionConfirmation, Confirmation, Grant, PlanStep, Prompt } from '../../src/contract/console.ts';
import type { Requester } from '../../src/contract/console-status.ts';
import type { Insight } from '../../src/contract/guardian.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import type { Task } from '../../src/contract/task.ts';

export type Ask = {
  prompt?: Partial<Omit<Prompt, 'place' | 'waiting'>>;
  level?: Action['risk']['level'];
  userId?: string;
  scopes?: Confirmation['scopes'];
  /** Only Touch ID proves presence. */
  presenceBy?: 'touchId';
  expiresInMs?: number;
  /** Asks for these steps of a task at once, instead of one action. */
  plan?: readonly Partial<PlanStep>[];
};

/** A prompt about a screenshot, unless something else is said. */
export function newConfirmation(ask: Ask & { plan?: undefined }): ActionConfirmation;
export function newConfirmation(ask: Ask): Confirmation;
export function newConfirmation(ask: Ask): Confirmation {
  const { prompt = {}, level = 'medium', userId = 'nightly-report', expiresInMs = 90_000 } = ask;
  const createdAt = new Date().toISOString();
  const risk = { level, reasons: ['A picture shows everything that is on the screen.'] };
  const action: Action = {
    actionId: `act_${ulid()}`,
    actionType: 'TakeScreenshot',
    targetDeviceId: `dev_${ulid()}`,
    userId,
    status: 'awaiting_confirmation',
    details: 'A person is asked.',
    risk,
    effect: 'none',
    createdAt,
  };
  const common = {
    id: `cnf_${ulid()}`,
    nonce: randomUUID(),
    actionDigest: createHash('sha256').update(action.actionId).digest('hex'),
    status: 'pending' as const,
    createdAt,
    expiresAt: new Date(Date.now() + expiresInMs).toISOString(),
    presenceRequired: level === 'high' || level === 'critical',
    presenceBy: ask.presenceBy,
    scopes: ask.scopes ?? [{ scope: 'once' as const, grant: 'Only this once.' }],
    prompt: {
      requester: {
        userId,
        via: 'http' as const,
        knownSince: new Date(Date.now() - 12 * 86_400_000).toISOString(),
        hasKey: false,
        program: CURL,
      },
      device: 'Desk',
      sentence: 'Take a screenshot of the main display',
      arguments: '{"format":"png"}',
      changes: 'Changes nothing; a picture that was handed out cannot be taken back.',
      risk,
      history: 'First time',
      place: 1,
      waiting: 1,
      ...prompt,
    },
  };
  const question = createHash('sha256').update(common.id).digest('hex');
  if (ask.plan === undefined) return { kind: 'action', ...common, question, action };
  const steps = ask.plan.map((step, index) => newPlanStep(index, step));
  return { kind: 'plan', ...common, plan: { taskId: `tsk_${ulid()}`, steps } };
}

/** A program as the daemon finds it on Linux. */
export const CURL: CallingProgram = {
  kind: 'program',
  uid: 1_000,
  pid: 4_711,
  name: 'curl',
  path: '/usr/bin/curl',
  startedBy: [
    { pid: 4_000, name: 'bash', path: '/usr/bin/bash' },
    { pid: 3_000, name: 'xterm', path: '/usr/bin/xterm' },
  ],
};

function newPlanStep(index: number, overrides: Partial<PlanStep>): PlanStep {
  return {
    id: `step${index + 1}`,
    consent: 'asked',
    actionType: 'TakeScreenshot',
    targetDeviceId: `dev_${ulid()}`,
    device: 'Desk',
    dependsOn: [],
    sentence: 'Take a screenshot of the main display',
    arguments: '{"format":"png"}',
    changes: 'Changes nothing; a picture that was handed out cannot be taken back.',
    risk: { level: 'medium', reasons: ['A picture shows everything that is on the screen.'] },
    history: 'First time',
    maxAttempts: 1,
    ...overrides,
  };
}

/** A task of one step that looks at the screen, unless something else is said. */
export function newTask(overrides: Partial<Task> = {}): Task {
  return {
    taskId: `tsk_${ulid()}`,
    name: 'Look at the screen',
    userId: 'nightly-report',
    status: 'running',
    steps: [
      {
        id: 'look',
        actionType: 'TakeScreenshot',
        targetDeviceId: `dev_${ulid()}`,
        dependsOn: [],
        status: 'running',
        attempts: 1,
        risk: { level: 'medium', reasons: ['A picture shows everything that is on the screen.'] },
      },
    ],
    progress: { done: 0, total: 1, byStatus: { pending: 1 } },
    createdAt: new Date().toISOString(),
    ...overrides,
  };
}

export function newGrant(overrides: Partial<Grant>): Grant {
  return {
    id: `grt_${ulid()}`,
    userId: 'nightly-report',
    actionType: 'TakeScreenshot',
    deviceId: `dev_${ulid()}`,
    constraint: '{"format":"png"}',
    literal: 'nightly-report may take screenshots of the main display for 15 minutes',
    scope: 'minutes15',
    useCount: 3,
    createdAt: new Date(Date.now() - 300_000).toISOString(),
    lastUsedAt: new Date(Date.now() - 120_000).toISOString(),
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    ...overrides,
  };
}

export function newRequester(userId: string, pausedBecause: string | null = null): Requester {
  const knownSince = new Date(Date.now() - 86_400_000).toISOString();
  return { userId, knownSince, profile: 'assist', hasKey: false, pausedBecause, waiting: 0 };
}

export function newInsight(id: string): Insight {
  const now = new Date().toISOString();
  return {
    id,
    category: 'oversight',
    severity: 'high',
    title: '41 of 41 approvals, median 1.1 s',
    detail: 'Every prompt was allowed.',
    metricTypes: ['confirmation_approval_rate'],
    evidence: [],
    actionable: false,
    firstSeen: now,
    lastSeen: now,
    count: 1,
    status: 'acknowledged',
  };
}
