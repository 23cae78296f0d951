import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ulid } from 'ulid';
import type { Action, ActionSubmission, DryRun } from '../../src/contract/action.ts';
import type { Confirmation, Decision } from '../../src/contract/console.ts';
import type { Device } from '../../src/contract/device.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import type { RiskSummary } from '../../src/contract/risk.ts';
import type { GuardianService } from '../../src/services/guardian/guardian-service.ts';
import type { Services } from '../../src/services/offered-services.ts';
import type { Refusal } from '../../src/services/refusal.ts';
import type { Submission, SubmissionAnswer } from '../../src/services/requester-services.ts';
import type { PageRequest } from '../../src/services/work/pages.ts';
import { asItems } from '../services/page-items.ts';
import { actionOf, queueOf } from './confirmation-queue.ts';
import { EMPTY_CONSOLE } from './empty-console.ts';
import { createFakeSessions, ONE_USE_CODE } from './fake-sessions.ts';
import { createFakeTasks } from './fake-tasks.ts';
import { refused } from './refused.ts';

/**
 * Services in memory, with just enough rules to tell a request that got through from one that did not:
 * DescribeScreen, TakeScreenshot and Wait run at once, OpenApp asks, RunScript is blocked.
 */
export type FakeServices = Services & {
  /** How many actions were executed. */
  executions(): number;
  refusals: ProblemCode[];
  oneUseCode: string;
  /** Makes the next call of `health` throw. */
  failNextHealth(error: Error): void;
};

type Held = { finish(): void };

export function createFakeServices(): FakeServices {
  const devices = new Map<string, Device>();
  const actions = new Map<string, Action>();
  const confirmations = new Map<string, Confirmation>();
  const artifacts = new Map<string, { userId: string; bytes: Uint8Array }>();
  const replays = new Map<string, { digest: string; answer: Promise<SubmissionAnswer | Refusal> }>();
  const held = new Map<string, Held>();
  const refusals: ProblemCode[] = [];
  let executions = 0;
  let healthError: Error | undefined;

  const ownDevice = (userId: string, id: string) => {
    const device = devices.get(id);
    return device?.ownerId === userId ? device : refused('device_not_found', 'No such device of yours.');
  };
  const ownAction = (userId: string, id: string) => {
    const action = actions.get(id);
    return action?.userId === userId ? action : refused('action_not_found', 'No such action of yours.');
  };
  const ownArtifact = (userId: string, id: string) => {
    const artifact = artifacts.get(id);
    return artifact?.userId === userId ? artifact : refused('artifact_not_found', 'No such artifact of yours.');
  };
  const openConfirmation = (id: string) => {
    const confirmation = confirmations.get(id);
    if (confirmation === undefined) return refused('not_found', 'No such confirmation.');
    return confirmation.status === 'pending' ? confirmation : refused('confirmation_resolved', 'Already answered.');
  };

  async function perform(submission: Submission): Promise<SubmissionAnswer | Refusal> {
    const { userId, body } = submission;
    const device = ownDevice(userId, body.targetDeviceId);
    if ('refused' in device) return device;
    if (!KNOWN_TYPES.includes(body.actionType)) return refused('unknown_action_type', 'See /api/tee/action-types.');
    if (body.dryRun) return { kind: 'dryRun', dryRun: dryRunOf(body) };
    const action = newAction(userId, body);
    actions.set(action.actionId, action);
    if (action.status === 'blocked') {
      return { ...refused('action_blocked', 'The profile forbids it.'), facts: { actionId: action.actionId } };
    }
    if (action.status === 'awaiting_confirmation') return ask(action, submission);
    executions += 1;
    if (body.actionType === 'TakeScreenshot') addArtifact(action);
    return { kind: 'action', action, replayed: false };
  }

  async function ask(action: Action, { waitMs, gone }: Submission): Promise<SubmissionAnswer> {
    const confirmation = newConfirmation(action);
    action.confirmation = { id: confirmation.id, expiresAt: confirmation.expiresAt };
    confirmations.set(confirmation.id, confirmation);
    if (waitMs) await answered(confirmation.id, waitMs, gone);
    return { kind: 'action', action, replayed: false };
  }

  function answered(id: string, waitMs: number, gone: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    gone.addEventListener('abort', () => resolve());
    held.set(id, { finish: resolve });
    return promise.finally(() => clearTimeout(timer));
  }

  function addArtifact(action: Action): void {
    const bytes = randomBytes(64);
    const id = `art_${ulid()}`;
    artifacts.set(id, { userId: action.userId, bytes });
    const url = `/api/tee/artifacts/${id}`;
    const sha256 = digestOf(bytes);
    action.artifacts = [{ id, mediaType: 'image/png', width: 8, height: 8, sizeBytes: bytes.length, sha256, url }];
  }

  return {
    executions: () => executions,
    refusals,
    oneUseCode: ONE_USE_CODE,
    failNextHealth(error) {
      healthError = error;
    },
    noteRefusal: ({ refused }) => refusals.push(refused),
    health() {
      const error = healthError;
      healthError = undefined;
      if (error !== undefined) throw error;
      const checks = {
        overall: 'ok',
        store: 'ok',
        agent: 'online',
        desktop: 'ok',
        processes: 'ok',
        scripts: 'available',
      } as const;
      const kept = { usedBytes: 0, limitBytes: 2, limitBytesPerUser: 1 };
      const formerVersions = { usedBytes: 0, limitBytes: 1, files: 0, limitFiles: 1 };
      const storage = { results: kept, artifacts: kept, formerVersions };
      return {
        status: 'ok',
        service: 'handrail',
        version: '0.1.0',
        uptimeMs: 1,
        instanceId: 'ins_fake',
        checks,
        storage,
      };
    },
    whenDenialChanges: () => () => undefined,
    ownAccess: () => ({ access: [], grants: [], folders: [{ path: '/home/ann/Reports', access: 'read' }] }),
    devices: {
      refusalFor: () => undefined,
      register(userId, registration) {
        const same = [...devices.values()].find(
          ({ ownerId, type, name, capabilities }) =>
            ownerId === userId && JSON.stringify({ type, name, capabilities }) === JSON.stringify(registration),
        );
        if (same !== undefined) return { created: false, device: same };
        const device = newDevice(userId, registration);
        devices.set(device.id, device);
        return { created: true, device };
      },
      list: async (userId, page) =>
        pageOf(
          [...devices.values()].filter(({ ownerId }) => ownerId === userId),
          page,
        ),
      get: ownDevice,
      remove(userId, deviceId) {
        const device = ownDevice(userId, deviceId);
        if ('refused' in device) return device;
        devices.delete(deviceId);
        return undefined;
      },
    },
    actions: {
      submit(submission) {
        if (submission.idempotencyKey === undefined) return perform(submission);
        const key = JSON.stringify([submission.userId, submission.idempotencyKey]);
        const digest = JSON.stringify(submission.body);
        const before = replays.get(key);
        if (before === undefined) {
          const answer = perform(submission);
          replays.set(key, { digest, answer });
          return answer;
        }
        if (before.digest === digest) return before.answer.then(asReplay);
        return Promise.resolve(refused('idempotency_key_reused', 'The key came with another body before.'));
      },
      async list(userId, { status, deviceId, sinceMs }, page) {
        const found = [...actions.values()].filter(
          (action) =>
            action.userId === userId &&
            (status === undefined || status.includes(action.status)) &&
            (deviceId === undefined || action.targetDeviceId === deviceId) &&
            (sinceMs === undefined || Date.parse(action.createdAt) >= sinceMs),
        );
        return pageOf(found, page);
      },
      get: ownAction,
      former: () => undefined,
      forgetKey: (userId, key) => void replays.delete(JSON.stringify([userId, key])),
      ended: async (userId, actionId) => ownAction(userId, actionId),
      cancel(userId, actionId) {
        const action = ownAction(userId, actionId);
        if ('refused' in action) return action;
        if (action.status !== 'awaiting_confirmation') return refused('already_terminal', 'It has ended.');
        action.status = 'cancelled';
        return action;
      },
      wasApproved: (_userId, actionId) =>
        [...confirmations.values()].some((each) => each.status === 'allowed' && actionOf(each)?.actionId === actionId),
      types: () => [],
    },
    tasks: createFakeTasks((userId, deviceId) => !('refused' in ownDevice(userId, deviceId))),
    procedures: {
      list: () => [],
      get: noProcedure,
      keep: noProcedure,
      remove: noProcedure,
      draft: async () => noProcedure(),
      intents: () => [],
      run: async () => noProcedure(),
    },
    artifacts: {
      async open(userId, artifactId) {
        const artifact = ownArtifact(userId, artifactId);
        if ('refused' in artifact) return artifact;
        const { bytes } = artifact;
        return {
          mediaType: 'image/png',
          sizeBytes: bytes.length,
          sha256: digestOf(bytes),
          bytes: Readable.from([bytes]),
        };
      },
      async remove(userId, artifactId) {
        const artifact = ownArtifact(userId, artifactId);
        if ('refused' in artifact) return artifact;
        artifacts.delete(artifactId);
        return undefined;
      },
    },
    console: {
      ...EMPTY_CONSOLE,
      sessions: createFakeSessions().sessions,
      confirmations: {
        list: () => queueOf([...confirmations.values()]),
        get: openConfirmation,
        shown(id) {
          const confirmation = openConfirmation(id);
          if ('refused' in confirmation) return confirmation;
          return Object.assign(confirmation, { shownAt: now(), answerableAt: now() });
        },
        pageOpened: () => () => undefined,
        callTaken: () => undefined,
        extend: openConfirmation,
        hold: openConfirmation,
        decide(id, decision) {
          const confirmation = openConfirmation(id);
          if ('refused' in confirmation) return confirmation;
          if (decision.actionDigest !== confirmation.actionDigest || decision.nonce !== confirmation.nonce) {
            return refused('confirmation_stale', 'The action is not the one that was shown.');
          }
          executions += decision.decision === 'allow' ? 1 : 0;
          held.get(id)?.finish();
          return decided(confirmation, decision);
        },
        undo: () => refused('not_found', 'There is no such denial.'),
        denyAllOf: () => 0,
        denyStrangers: () => 0,
      },
    },
    events: {
      latestId: () => 0,
      isReplayable: () => true,
      read: (afterId) => ({ events: [], reachedId: afterId }),
      more: (_afterId, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
    guardian: EMPTY_GUARDIAN,
    isGenuine: () => true,
    isKnown: () => false,
    noteFailure: () => undefined,
  };
}

const WINDOW = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T01:00:00.000Z', length: 3_600_000 };
const NO_TIMES = { p50: null, p95: null, p99: null };
const RISK: RiskSummary = { score: 0, level: 'low', confidence: 0, contributors: [], known: [], history: [] };

/** A Guardian that has seen nothing; the real one is tested on real recordings. */
const EMPTY_GUARDIAN: GuardianService = {
  metrics: () => ({ window: WINDOW, items: [] }),
  series: (type) => ({ type, unit: 'ratio', window: WINDOW, points: [] }),
  consoleSeries: () => ({ window: WINDOW, stepMs: 60_000, items: [] }),
  outcomes: () => ({ window: WINDOW, stepMs: 60_000, points: [] }),
  telemetry: () => ({
    window: WINDOW,
    coverage: 1,
    actions: { total: 0, byStatus: {}, byType: {}, byRisk: {}, durationMs: NO_TIMES },
    tasks: { total: 0, byStatus: {}, durationMs: NO_TIMES },
    confirmations: { total: 0, byOutcome: {} },
  }),
  actionLog: async () => ({ items: [], nextCursor: null }),
  taskLog: async () => ({ items: [], nextCursor: null }),
  totals: () => ({ events: { requested: 3 }, requestsByType: { Wait: 3 } }),
  trends: () => [],
  insights: () => [],
  acknowledge: () => refused('not_found', 'No such insight.'),
  knownCauses: () => [],
  markKnown: (cause, { untilMs }) => ({ cause, markedAt: WINDOW.to, until: new Date(untilMs).toISOString() }),
  unmarkKnown: () => refused('not_found', 'This cause is not marked as known.'),
  requesters: () => [],
  dashboard: () => ({
    generatedAt: WINDOW.to,
    window: WINDOW,
    risk: RISK,
    warnings: [],
    insights: [],
    trends: [],
    metrics: [],
  }),
};

const KNOWN_TYPES = ['DescribeScreen', 'TakeScreenshot', 'Wait', 'OpenApp', 'RunScript'];

function now(): string {
  return new Date().toISOString();
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function pageOf<Item>(items: Item[], { limit, cursor }: PageRequest) {
  if (cursor !== undefined && !/^\d+$/.test(cursor))
    return refused('validation_failed', 'The cursor is not one of ours.');
  const start = Number(cursor ?? 0);
  const newestFirst = items.toReversed();
  return {
    items: asItems(newestFirst.slice(start, start + limit)),
    nextCursor: start + limit < items.length ? String(start + limit) : null,
  };
}

function asReplay(answer: SubmissionAnswer | Refusal): SubmissionAnswer | Refusal {
  return 'kind' in answer && answer.kind === 'action' ? { ...answer, replayed: true } : answer;
}

function newDevice(ownerId: string, registration: Pick<Device, 'type' | 'name' | 'capabilities'>): Device {
  const id = `dev_${ulid()}`;
  const createdAt = now();
  const rest = {
    ownerId,
    machine: 'local',
    platform: null,
    status: 'online',
    agent: null,
    warnings: [],
    createdAt,
    lastSeenAt: createdAt,
  } as const;
  return { id, deviceId: id, ...registration, ...rest, warnings: [] };
}

function newAction(userId: string, body: ActionSubmission): Action {
  const status = body.actionType === 'OpenApp' ? 'awaiting_confirmation' : 'success';
  return {
    actionId: `act_${ulid()}`,
    actionType: body.actionType,
    targetDeviceId: body.targetDeviceId,
    userId,
    status: body.actionType === 'RunScript' ? 'blocked' : status,
    details: 'Done, in memory.',
    risk: { level: 'low', reasons: ['it reads'] },
    effect: 'none',
    createdAt: now(),
  };
}

function dryRunOf({ actionType, targetDeviceId }: ActionSubmission): DryRun {
  const risk = { level: 'low', reasons: ['it reads'] } as const;
  const rest = { rule: 'Low risk runs.', target: null, missingPermissions: [], details: 'It would run.' };
  return {
    dryRun: true,
    actionType,
    targetDeviceId,
    verdict: 'allow',
    risk: { ...risk, reasons: ['it reads'] },
    ...rest,
  };
}

const UNKNOWN_PROGRAM = { kind: 'unknown', because: 'nobody looked' } as const;

function newConfirmation(action: Action): Confirmation {
  return {
    kind: 'action',
    id: `cnf_${ulid()}`,
    nonce: randomUUID(),
    actionDigest: digestOf(Buffer.from(action.actionId)),
    status: 'pending',
    createdAt: now(),
    expiresAt: new Date(Date.now() + 90_000).toISOString(),
    presenceRequired: false,
    scopes: [{ scope: 'once', grant: 'Only this once.' }],
    action,
    prompt: {
      requester: { userId: action.userId, via: 'http', knownSince: now(), hasKey: false, program: UNKNOWN_PROGRAM },
      device: 'Desk',
      sentence: 'Open an app',
      arguments: '{}',
      changes: 'It opens a window.',
      risk: action.risk,
      history: 'First time',
      place: 1,
      waiting: 1,
    },
  };
}

function decided(confirmation: Confirmation, { decision }: Decision): Action {
  confirmation.status = decision === 'allow' ? 'allowed' : 'denied';
  const action = actionOf(confirmation);
  if (action === undefined) throw new Error('the fake asks only for actions');
  action.status = decision === 'allow' ? 'success' : 'denied';
  action.decidedAt = now();
  return action;
}

function noProcedure() {
  return refused('not_found', 'There is no procedure.');
}
