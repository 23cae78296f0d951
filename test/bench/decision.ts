import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ActionSubmission } from '../../src/contract/action.ts';
import { LOCAL } from '../../src/contract/machine-rules.ts';
import type { ProfileRule } from '../../src/contract/profile.ts';
import { keyOf, type TargetReference } from '../../src/contract/targets.ts';
import { grantArguments } from '../../src/domain/grant.ts';
import { createActionService } from '../../src/services/actions/actions.ts';
import { admit, checkSubmission } from '../../src/services/actions/admission.ts';
import { createCallOffs } from '../../src/services/actions/call-offs.ts';
import { createExecutions } from '../../src/services/actions/execution.ts';
import { createLiveActions } from '../../src/services/actions/live-actions.ts';
import { createBegin } from '../../src/services/actions/submission.ts';
import type { SubmissionParts } from '../../src/services/actions/submission-parts.ts';
import type { AgentPort } from '../../src/services/agent/port.ts';
import { createConfirmations } from '../../src/services/confirmations/confirmations.ts';
import { type Clock, type Context, createIds, systemClock } from '../../src/services/context.ts';
import { createDeviceService } from '../../src/services/devices.ts';
import { createMachineAgents } from '../../src/services/machines/agents.ts';
import { createGrants } from '../../src/services/permissions/grants.ts';
import { createPermissions } from '../../src/services/permissions/permissions.ts';
import { createIdempotency } from '../../src/services/records/idempotency.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import type { Submission } from '../../src/services/requester-services.ts';
import { createCallingPrograms } from '../../src/services/requesters/calling-programs.ts';
import { createKnownRequesters, createRequesters } from '../../src/services/requesters/requesters.ts';
import type { Sight } from '../../src/services/targets/targets.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import type { DeviceRow } from '../../src/store/records/devices.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import { localOnly } from '../services/local-only.ts';
import { progress } from './progress.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

const ROUNDS = { measured: 500, warmUp: 100 };
/** By the clock of the records: 7,200 actions an hour, four times what the rate limit lets through for a whole day. */
const ACTION_EVERY_MS = 500;

/** `assist`, with rules as a person might have made them; two of them count what came before. */
const RULES: ProfileRule[] = [
  { verdict: 'block', apps: ['Solitaire', 'Chess'], hours: { from: '09:00', to: '17:00' } },
  { verdict: 'block', apps: ['Banking'] },
  { verdict: 'block', levels: ['critical'] },
  { verdict: 'block', morePerMinuteThan: 1_000 },
  { verdict: 'ask', morePerHourThan: 20_000 },
  { verdict: 'ask', paths: ['/home/*/private/**', '/home/*/.ssh/**'] },
  { verdict: 'ask', apps: ['Mail', 'Calendar'] },
  { verdict: 'ask', effectClasses: ['once'] },
  { verdict: 'allow', apps: ['Text Editor'] },
  { verdict: 'allow', levels: ['low'], effectClasses: ['pure'] },
];

const CAPABILITIES = { canCaptureScreen: true, canOpenApps: true };

type Kind = { name: string; body: Omit<ActionSubmission, 'targetDeviceId'>; status: string };

const KINDS: Kind[] = [
  { name: 'Wait, let through', body: { actionType: 'Wait', parameters: { durationMs: 0 } }, status: 'running' },
  {
    name: 'OpenApp, let through by a rule',
    body: { actionType: 'OpenApp', parameters: { appName: 'Text Editor' } },
    status: 'running',
  },
  {
    name: 'TakeScreenshot, let through by a grant',
    body: { actionType: 'TakeScreenshot', parameters: regionOf(1_024) },
    status: 'running',
  },
  {
    name: 'TakeScreenshot, asked about',
    body: { actionType: 'TakeScreenshot', parameters: regionOf(4_000) },
    status: 'awaiting_confirmation',
  },
  {
    name: 'OpenApp, blocked by a rule',
    body: { actionType: 'OpenApp', parameters: { appName: 'Banking' } },
    status: 'blocked',
  },
];

/** A grant is bound to it; to the size of the picture it is not. */
function regionOf(width: number) {
  return { region: { x: 0, y: 0, width, height: 600 } };
}

/** In milliseconds; `judging` is the part before anything is written. */
type Cost = { wholeMs: number; judgingMs: number };
type Costs = { kind: Kind; rows: Rows; decided: Cost[]; beforehand: Cost[] };

/**
 * The cost of the rail for an action: from the typed request at the door of the services to its verdict in the store,
 * journal rows included, on a real database on disk. The same action is also recorded and begun by the same code with a
 * verdict that was made beforehand. The difference is the cost of risk, profile, rules, grants and digest, and of the rows
 * of prompt and grant.
 */
export async function benchDecisionPath(report: Report, { measured: rounds, warmUp } = ROUNDS): Promise<void> {
  report.heading(
    'The decision path: a typed request to its recorded verdict, less its records with a verdict made before',
  );
  const rig = createRig();
  try {
    for (let round = 0; round < warmUp; round += 1) for (const kind of KINDS) await measured(rig, kind, round);
    const costs: Costs[] = [];
    for (const kind of KINDS) costs.push({ kind, rows: await rig.rowsOf(kind), decided: [], beforehand: [] });
    for (let round = 0; round < rounds; round += 1) {
      progress.at(`round ${round + 1} of ${rounds}`);
      for (const each of costs) {
        const { decided, beforehand } = await measured(rig, each.kind, round);
        each.decided.push(decided);
        each.beforehand.push(beforehand);
      }
    }
    reportCosts(report, costs);
  } finally {
    rig.end();
  }
}

/** Runs both by turns, so that a disturbance of the machine affects both alike. */
async function measured(rig: Rig, kind: Kind, round: number): Promise<{ decided: Cost; beforehand: Cost }> {
  if (round % 2 === 0) return { decided: await rig.decide(kind), beforehand: await rig.record(kind) };
  const beforehand = await rig.record(kind);
  return { decided: await rig.decide(kind), beforehand };
}

/**
 * Measured in wall-clock time: counters of processor time at this resolution include the threads of the compiler and the
 * garbage collector.
 */
function reportCosts(report: Report, costs: Costs[]): void {
  const [decided, beforehand] = [costs.flatMap((each) => each.decided), costs.flatMap((each) => each.beforehand)];
  for (const p of [0.5, 0.99]) {
    const [all, alone] = [wholeAt(decided, p), wholeAt(beforehand, p)];
    report.figure({
      name: `added at p${p * 100}`,
      value: all - alone,
      unit: 'ms',
      note: `${all.toFixed(3)} with deciding, ${alone.toFixed(3)} without`,
      ...(p === 0.99 && { goal: { atMost: 0.2 } }),
    });
  }
  const judgingMs = decided.map((cost) => cost.judgingMs);
  report.figure({ name: 'deciding, up to the first write, p50', value: median(judgingMs), unit: 'ms' });
  report.figure({
    name: 'deciding, up to the first write, p99',
    value: quantile(judgingMs, 0.99),
    unit: 'ms',
    goal: { atMost: 0.2 },
  });
  for (const { kind, rows, decided, beforehand } of costs) {
    report.figure({
      name: `${kind.name}: added at p50`,
      value: wholeAt(decided, 0.5) - wholeAt(beforehand, 0.5),
      unit: 'ms',
      note: `whole ${wholeAt(decided, 0.5).toFixed(3)}, p99 ${wholeAt(decided, 0.99).toFixed(3)}; rows: ${rowWords(rows)}`,
    });
  }
}

function wholeAt(costs: readonly Cost[], p: number): number {
  return quantile(
    costs.map(({ wholeMs }) => wholeMs),
    p,
  );
}

type Rows = Record<string, number>;

function rowWords(rows: Rows): string {
  return Object.entries(rows)
    .map(([table, count]) => `${table} ${count}`)
    .join(', ');
}

const quiet = () => undefined;
const NEVER_GONE = new AbortController().signal;
const PORT: AgentPort = {
  status: () => 'online',
  agent: () => null,
  perform: quiet,
  cancel: quiet,
  acknowledge: quiet,
};

type Rig = ReturnType<typeof createRig>;

/** The services an action passes through, as they are built for the daemon, with an agent that answers when it is told to. */
function createRig() {
  const path = mkdtempSync(join(tmpdir(), 'handrail-bench-'));
  const stored = createStore({ path, now: Date.now });
  const stopwatch = createStopwatch();
  const store: Store = { ...stored, write: stopwatch.noting(stored.write) };
  const counted = new Database(dataDirectoryAt(path).database, { readonly: true });
  let nowMs = Date.now();
  const clock: Clock = { ...systemClock, nowMs: () => nowMs };
  const context: Context = { store, clock, newId: createIds(clock), log: { info: quiet, warn: quiet, error: quiet } };
  const parts = createParts(context);
  const { live, execution, confirmations, rules } = parts;
  const service = createActionService(context, { ...parts, idempotency: createIdempotency(context) }).service;
  const begin = createBegin(context, parts);
  const device = registerAndRule(context, parts);
  const bodyOf = (kind: Kind): Submission => {
    return { userId: 'ann', body: { targetDeviceId: device.id, ...kind.body }, waitMs: 0, gone: NEVER_GONE };
  };

  /** Ends the action or the prompt as the agent or the clock would; not part of the measurement. */
  async function ended(id: string): Promise<void> {
    const row = live.get(id);
    if (row === undefined) return;
    const end = new Promise<void>((resolve) => void live.whenEnded(id, () => resolve()));
    for (const end of confirmations.endings({ status: 'expired', details: 'Nobody answers in a bench.' })) end();
    const outcome = { ok: true, details: 'Done.', effect: 'none', data: null, attachments: [] } as const;
    execution.on(LOCAL).finish({ actionId: id, attempt: row.attempt }, outcome);
    await end;
  }

  async function decide(kind: Kind): Promise<Cost> {
    nowMs += ACTION_EVERY_MS;
    const submission = bodyOf(kind);
    stopwatch.start();
    const action = await service.submit(submission);
    const cost = stopwatch.stop();
    if (isRefusal(action) || action.kind !== 'action' || action.action.status !== kind.status)
      throw new Error(`expected ${kind.name} to be ${kind.status}, got ${JSON.stringify(action)}`);
    await ended(action.action.actionId);
    return cost;
  }

  async function record(kind: Kind): Promise<Cost> {
    nowMs += ACTION_EVERY_MS;
    const checked = checkSubmission(bodyOf(kind));
    if (isRefusal(checked.checked)) throw new Error(checked.checked.detail);
    const submission = { ...checked, sight: sightOf(checked.checked.references) };
    const admitted = admit(submission, device, rules);
    if (isRefusal(admitted)) throw new Error(admitted.detail);
    const { grantId: _grantId, ...rest } = admitted;
    const made = { ...rest, judgement: { verdict: 'allow', rule: 'Made beforehand.' } } as const;
    stopwatch.start();
    const row = begin(submission, { device, admitted: made });
    const cost = stopwatch.stop();
    await ended(row.id);
    return cost;
  }

  return {
    decide,
    record,
    /** The rows that one action of this kind adds up to its verdict, by table. */
    async rowsOf(kind: Kind): Promise<Rows> {
      nowMs += ACTION_EVERY_MS;
      const before = countRows(counted);
      const answer = await service.submit(bodyOf(kind));
      const after = countRows(counted);
      if (!isRefusal(answer) && answer.kind === 'action') await ended(answer.action.actionId);
      return Object.fromEntries(
        Object.entries(after)
          .map(([table, count]) => [table, count - (before[table] ?? 0)] as const)
          .filter(([, count]) => count > 0),
      );
    },
    end(): void {
      counted.close();
      store.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Takes the time of a call, and of the part of it before its first write. */
function createStopwatch() {
  let fromMs = 0;
  let wroteAtMs: number | undefined;
  return {
    noting(write: Store['write']): Store['write'] {
      return (durability, work) => {
        wroteAtMs ??= performance.now();
        return write(durability, work);
      };
    },
    start(): void {
      wroteAtMs = undefined;
      fromMs = performance.now();
    },
    stop(): Cost {
      const toMs = performance.now();
      return { wholeMs: toMs - fromMs, judgingMs: (wroteAtMs ?? toMs) - fromMs };
    },
  };
}

function createParts(context: Context) {
  const live = createLiveActions(context);
  const callOffs = createCallOffs(context, { live });
  const permissions = createPermissions(context, { callOffs });
  const requesters = createRequesters(context, { callOffs });
  const grants = createGrants(context, { callOffs });
  const capabilitiesOf = () => CAPABILITIES;
  const isStopped = () => false;
  const { isKnown } = createKnownRequesters(context, permissions);
  const heldUntilMs = () => 0;
  const { isCalledOff } = callOffs;
  const held = { isCalledOff, isStopped, heldUntilMs };
  const targets = {
    sight: async (references: readonly TargetReference[]) => sightOf(references),
    remembered: sightOf,
    forget: quiet,
  };
  const agent = { ...createMachineAgents(context, localOnly(PORT)).on(LOCAL), targets };
  const agents = { on: () => agent, of: () => agent };
  const execution = createExecutions(context, {
    agents,
    live,
    capabilitiesOf,
    keepsEvidence: () => true,
    dashboards: () => undefined,
    isKnown,
    handsOff: () => ({ isShown: () => false, inputEnded: quiet }),
    granted: quiet,
    looked: quiet,
    described: quiet,
    ...held,
  });
  const { policyVersion } = permissions;
  const expiryMs = () => 90_000;
  const requiredPresence = () => 'hold' as const;
  const asking = { policyVersion, expiryMs, requiredPresence, allowed: execution.enqueue, granted: quiet, ...held };
  const usually = () => ({ before: '' });
  const { inputEndedAtMs } = execution;
  const confirmations = createConfirmations(context, {
    live,
    grants,
    requesters,
    isKnown,
    usually,
    inputEndedAtMs,
    promptsChanged: quiet,
    displays: () => [],
    ...asking,
  });
  const devices = createDeviceService(context, {
    agents,
    platform: 'linux',
    machineHost: localOnly(PORT),
    callOffs,
  });
  return {
    agents,
    live,
    execution,
    confirmations,
    rejudging: { note: quiet },
    programs: createCallingPrograms(context, confirmations),
    callOffs,
    isKnown,
    requesters,
    devices,
    rules: {
      permissions,
      grants,
      artifactOf: () => undefined,
      foldersOf: () => [],
      marked: (target) => target,
      isCodeGood: () => false,
      displays: () => [],
      hasLeave: () => true,
    },
    deviceOf: devices.row,
    stopped: quiet,
  } satisfies SubmissionParts & Record<string, unknown>;
}

/** Each app as an agent finds it. */
function sightOf(references: readonly TargetReference[]): Sight {
  const apps = references.flatMap((reference) => (reference.kind === 'app' ? reference : []));
  return new Map(
    apps.map((reference) => {
      const app = { appName: reference.name, alsoKnownAs: [], risks: [] };
      return [keyOf(reference), { ...reference, app }];
    }),
  );
}

/** Settings that a person may have after some weeks: a profile with rules, and forty grants, one of which fits. */
function registerAndRule(context: Context, { devices, rules }: ReturnType<typeof createParts>): DeviceRow {
  const { store, newId, clock } = context;
  const { device } = devices.register('ann', { type: 'linux', name: 'Desk', capabilities: CAPABILITIES });
  const { permissions } = rules;
  const byLevel = { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' } as const;
  permissions.put({ name: 'office', byLevel, rules: RULES });
  permissions.assign('ann', 'office');
  store.write('durable', () => {
    for (let count = 0; count < 40; count += 1) {
      store.grants.insert({
        id: newId('grt'),
        userId: 'ann',
        actionType: 'TakeScreenshot',
        deviceId: device.id,
        arguments: grantArguments({ actionType: 'TakeScreenshot', parameters: regionOf(1_000 + count) }, undefined),
        taskId: undefined,
        literal: 'ann may take a screenshot.',
        scope: 'always',
        createdAtMs: clock.nowMs(),
        unusedMs: 30 * 86_400_000,
        expiresAtMs: clock.nowMs() + 90 * 86_400_000,
      });
    }
  });
  const row = devices.row('ann', device.id);
  if (isRefusal(row)) throw new Error(row.detail);
  return row;
}

function countRows(database: Database.Database): Rows {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  return Object.fromEntries(
    tables.map((name) => [name, Number(database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())]),
  );
}
