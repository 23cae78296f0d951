import { rmSync } from 'node:fs';
import { onTestFinished, test as plainTest } from 'vitest';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { Capabilities, DeviceAgent } from '../../src/contract/device.ts';
import { type CancelReason, type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import { LOCAL } from '../../src/contract/machine-rules.ts';
import type { ResolveTargetsParameters } from '../../src/contract/targets.ts';
import type {
  AgentListener,
  AgentPort,
  AgentPorts,
  AgentStatus,
  AttemptKey,
  AttemptOutcome,
} from '../../src/services/agent/port.ts';
import type { MachineHost } from '../../src/services/console/machines.ts';
import { type Context, createIds } from '../../src/services/context.ts';
import { isRefusal, type Refusal } from '../../src/services/refusal.ts';
import type { FindCaller, SubmissionAnswer } from '../../src/services/requester-services.ts';
import { createServices, type ServiceRoot } from '../../src/services/wiring.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import { newDataFolder } from '../store/data-folder.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { localOnly } from './local-only.ts';
import { lookedAt } from './looks.ts';

export const ALL: Capabilities = {
  canOpenApps: true,
  canAccessFiles: true,
  canCaptureScreen: true,
  canRunScripts: true,
};

const AGENT: DeviceAgent = {
  id: 'boot-1',
  platform: 'linux',
  hostname: 'test',
  version: '0',
  displays: [],
  permissions: { screenRecording: 'not_required', accessibility: 'granted', automation: 'not_required' },
};

export type FakeAgent = AgentPort & {
  sent: PerformParams[];
  /** Its answers to the question which app is behind a name. A name that is not here belongs to an ordinary app. */
  apps: Map<string, AttemptOutcome>;
  /** The names it was asked to look up, by the id of the question. */
  lookedUp: Map<string, string>;
  cancelled: { key: AttemptKey; reason: CancelReason }[];
  /** How many cancels had been handed to the system, each time that was asked for. */
  acknowledged: AttemptKey[];
  become(status: AgentStatus): void;
  /** Reports which permissions it has from now on. */
  report(permissions: Partial<DeviceAgent['permissions']>): void;
  /** Reports which displays it has from now on. */
  show(displays: DeviceAgent['displays']): void;
  /** Answers the latest perform that was sent, or a given one. */
  answer(outcome: AttemptOutcome, params?: PerformParams): Promise<void>;
  listener: AgentListener;
};

/** An outcome as a driver that worked would report it. */
export function done(overrides: Partial<Extract<AttemptOutcome, { ok: true }>> = {}): AttemptOutcome {
  return { ok: true, details: 'Done.', effect: 'none', data: { ok: true }, attachments: [], ...overrides };
}

export function notDone(overrides: Partial<Extract<AttemptOutcome, { ok: false }>> = {}): AttemptOutcome {
  return {
    ok: false,
    cancelled: false,
    code: 'app_not_found',
    message: 'No such app.',
    sideEffect: 'none',
    ...overrides,
  };
}

export type Rig = {
  services: ServiceRoot;
  store: Store;
  clock: FakeClock;
  context: Context;
  agent: FakeAgent;
  deviceId: string;
  /** The id of a user's device with these capabilities, registered the first time. */
  deviceOf(userId: string, capabilities?: Partial<Capabilities>): string;
  submit(
    body: Partial<ActionSubmission>,
    options?: { userId?: string; waitMs?: number; idempotencyKey?: string; program?: FindCaller },
  ): Promise<SubmissionAnswer | Refusal>;
  /** Submits and hands over the record that came back at once. */
  submitted(body: Partial<ActionSubmission>): Promise<Action>;
  /** Lets what was submitted get to the agent: an action on an app is sent once its name has been looked up. */
  sent(): Promise<void>;
  kinds(): string[];
  /** Ends this daemon's services without a farewell, as a crash would, and starts others on the same data. */
  crashAndRestart(): Rig;
  /** Closes everything and removes the data; a test that ends does it by itself. */
  end(): void;
};

type RigOptions = {
  path?: string;
  clock?: FakeClock;
  deviceId?: string;
  /** The test calls `end` itself, as one that starts many must. */
  endedByCaller?: boolean;
  /** Other machines beside the agent of this one. */
  machines?: (local: AgentPort) => AgentPorts & MachineHost;
  /** No page of the dashboard is open. */
  isAway?: boolean;
};

/** Real services on a real database in a temporary folder, with a clock and an agent of the test's own. */
export function startServices(options: RigOptions = {}): Rig {
  const path = options.path ?? newDataFolder('handrail-services-');
  const clock = options.clock ?? createFakeClock();
  const store = createStore({ path, now: clock.nowMs });
  const agent = createFakeAgent();
  const context: Context = { store, clock, newId: createIds(clock), log: { info: quiet, warn: quiet, error: quiet } };
  const restartAgent = () => agent.become('starting');
  const self = { version: '0', instanceId: 'test', platform: 'linux' } as const;
  const services = createServices(context, {
    machines: options.machines?.(agent) ?? localOnly(agent),
    restartAgent,
    variables: [],
    scripts: () => 'available',
    isShortOfProcesses: () => false,
    ...self,
  });
  agent.listener = services.agentListener(LOCAL);
  services.begin();
  if (options.isAway !== true) services.console.confirmations.pageOpened();
  let open = true;
  const close = () => {
    if (open) store.close();
    open = false;
  };
  const end = () => {
    close();
    // A thread that checks the database may still close its files.
    rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  };
  if (options.endedByCaller !== true) onTestFinished(end);
  const deviceId =
    options.deviceId ?? services.devices.register('ann', { type: 'linux', name: 'Desk', capabilities: ALL }).device.id;
  const rig: Rig = {
    services,
    store,
    clock,
    context,
    agent,
    deviceId,
    deviceOf: (userId, capabilities = ALL) =>
      services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities }).device.id,
    submit: (body, { userId = 'ann', ...rest } = {}) =>
      services.actions.submit({
        userId,
        body: { targetDeviceId: deviceId, actionType: 'Wait', parameters: {}, ...body },
        gone: new AbortController().signal,
        ...rest,
      }),
    submitted: async (body) => actionIn(await rig.submit(body, { waitMs: 0 })).action,
    sent: () => new Promise((resolve) => void setImmediate(resolve)),
    kinds: () => store.journal.readAfter(0, 1_000).map(({ kind }) => kind),
    crashAndRestart() {
      close();
      clock.forgetTimers();
      return startServices({ ...options, path, clock, deviceId });
    },
    end,
  };
  return rig;
}

/** Tests that get services of their own, as `rig`. */
export const test = plainTest.extend('rig', () => startServices());

/** Services that let medium risk of ann through, so that what may be done only once asks nobody. */
export function trusting(): Rig {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  return rig;
}

/** The answer to a submission, where an action came of it. */
export function actionIn(answer: SubmissionAnswer | Refusal): Extract<SubmissionAnswer, { kind: 'action' }> {
  if (!isRefusal(answer) && answer.kind === 'action') return answer;
  throw new Error(`expected an action, got ${JSON.stringify(answer)}`);
}

/** Takes all places of actions on the desktop, those reserved for known requesters included, for ten minutes. */
export async function fillDesktop(rig: Rig): Promise<void> {
  // A change of the rules makes plans void.
  if (!rig.services.isKnown('ann')) rig.services.console.profiles.assign('ann', 'assist');
  const reading = { actionType: 'DescribeScreen', parameters: {}, timeoutMs: 600_000 };
  for (let count = 0; count < 20; count += 1) {
    const { status } = await rig.submitted(reading);
    if (status !== 'running') throw new Error(`expected place ${count} to be free, got ${status}`);
  }
}

function quiet(): void {
  return;
}

/** Whether apps are all that the agent is asked to look at. The test answers any other look. */
function isAboutApps({ actionType, parameters }: PerformParams): boolean {
  if (actionType !== RESOLVE_TARGETS) return false;
  return (parameters as ResolveTargetsParameters).references.every(({ kind }) => kind === 'app');
}

export function createFakeAgent(): FakeAgent {
  let status: AgentStatus = 'online';
  let self = AGENT;
  /** Names are looked up at once, without being among what was sent: nothing is done for them. */
  function tellApps(look: PerformParams): void {
    const { actionId, attempt, parameters } = look;
    const { references } = parameters as ResolveTargetsParameters;
    agent.lookedUp.set(actionId, references.map((each) => (each.kind === 'app' ? each.name : '')).join(', '));
    queueMicrotask(() => agent.listener.finished({ actionId, attempt }, lookedAt(look, agent.apps)));
  }
  const agent: FakeAgent = {
    sent: [],
    apps: new Map(),
    lookedUp: new Map(),
    cancelled: [],
    acknowledged: [],
    status: () => status,
    agent: () => (status === 'online' ? self : null),
    perform(params) {
      if (isAboutApps(params)) tellApps(params);
      else agent.sent.push(params);
    },
    cancel: (key, reason) => void agent.cancelled.push({ key, reason }),
    acknowledge(key) {
      if (!agent.lookedUp.has(key.actionId)) agent.acknowledged.push(key);
    },
    become(next) {
      status = next;
      agent.listener.statusChanged();
    },
    report(permissions) {
      self = { ...self, permissions: { ...self.permissions, ...permissions } };
      agent.listener.statusChanged();
    },
    show(displays) {
      self = { ...self, displays };
      agent.listener.statusChanged();
    },
    async answer(outcome, given) {
      // An action on an app is sent once its name has been looked up.
      await new Promise(setImmediate);
      const params = given ?? agent.sent.at(-1);
      if (params === undefined) throw new Error('nothing was sent to the agent');
      agent.listener.finished({ actionId: params.actionId, attempt: params.attempt }, outcome);
      await new Promise(setImmediate);
    },
    // Replaced by the services' own listener as soon as they exist.
    listener: undefined as never,
  };
  return agent;
}
