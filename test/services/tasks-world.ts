import type { Confirmation } from '../../src/contract/console.ts';
import { type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { RunIf, StepStatus, StepSubmission, Task, UnknownResolution } from '../../src/contract/task.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { isStorageFailure } from '../../src/services/work/storage-failure.ts';
import type { StepRow } from '../../src/store/records/tasks.ts';
import { wholePrompts } from '../http/confirmation-queue.ts';
import { ALL, done, notDone, type Rig, startServices } from './rig.ts';
import { createConsent, type ProfileName } from './tasks-consent.ts';
import { settle } from './tasks-rig.ts';

type Consent = ReturnType<typeof createConsent>;

const KINDS = {
  pure: { actionType: 'Wait', parameters: { durationMs: 0 } },
  idempotent: { actionType: 'OpenApp', parameters: { appName: 'mousepad' } },
  once: { actionType: 'QuitApp', parameters: { appName: 'mousepad' } },
  asking: { actionType: 'TakeScreenshot', parameters: {} },
  risky: { actionType: 'OpenApp', parameters: { appName: 'xterm' } },
  /** Asks by itself: what it is to do is known when the step before it has ended. */
  later: { actionType: 'OpenApp', parameters: {} },
} as const;
export type Kind = keyof typeof KINDS;

export type PlannedStep = {
  kind: Kind;
  device: 'one' | 'two';
  dependsOn: string[];
  runIf: RunIf;
  maxAttempts: number;
};
export type Plan = {
  steps: readonly PlannedStep[];
  onFailure: 'stop' | 'continue';
  profile: ProfileName;
};

/** What may happen in the world while a task is under way; `which` picks among several. */
export const HAPPENINGS = [
  'succeed',
  'fail',
  'answer twice',
  'answer late',
  'lose the agent',
  'agent away',
  'agent back',
  'crash',
  'stop',
  'allow',
  'deny',
  'wait',
  'wait long',
  'cancel',
  'resolve',
  'change the rules',
  'let prompts expire',
  'set the clock',
  'fill the disk',
  'make room',
  'lock the screen',
  'unlock it',
] as const;
export type Happening = { does: (typeof HAPPENINGS)[number]; which: number };

const MANY_PAGES = 1_000_000;
/** Longer than any time a task can meet here, but for the eight hours of an approval. On a full disk each second of it costs work. */
const LONG_MS = 3 * 60_000;
const RESOLUTIONS: readonly UnknownResolution[] = ['happened', 'did_not_happen', 'again'];
const ENDED: readonly StepStatus[] = ['success', 'failed', 'skipped', 'cancelled', 'denied', 'expired', 'blocked'];

const FAILED: readonly StepStatus[] = ['failed', 'denied', 'expired', 'blocked', 'cancelled'];

export const isEnded = (status: StepStatus): boolean => ENDED.includes(status);

export function startWorldRig(): Rig {
  return startServices({ endedByCaller: true });
}

/**
 * One task on services that many tasks may have used before, and everything outside of them: the agent, the person, the clock
 * and the end of processes.
 */
export class World {
  rig: Rig;
  #task: Task | undefined;
  readonly userId: string;
  readonly plan: Plan;
  /** What was sent that should not have been, as sentences. */
  readonly violations: string[] = [];
  /** What the person has said yes to. */
  readonly #consent: Consent;
  /** How often a step was sent, over all lives of the daemon. */
  readonly #sentFor = new Map<string, number>();
  /** How often the person wanted a step of which nobody knew to begin anew. */
  readonly #begunAnew = new Map<string, number>();

  private constructor(rig: Rig, userId: string, plan: Plan) {
    this.rig = rig;
    this.userId = userId;
    this.plan = plan;
    this.#consent = createConsent(plan.profile);
    this.#watch();
  }

  static async begin(rig: Rig, userId: string, plan: Plan): Promise<World> {
    rig.store.limitPages(MANY_PAGES);
    rig.agent.become('online');
    rig.services.screen('unlocked');
    // What a full disk did not take is tried again after a second.
    rig.clock.advance(2_000);
    rig.services.console.profiles.assign(userId, plan.profile);
    const deviceIds = new Map(
      (['one', 'two'] as const).map((name) => {
        const { device } = rig.services.devices.register(userId, { type: 'linux', name, capabilities: ALL });
        return [name, device.id];
      }),
    );
    rig.agent.sent = [];
    const world = new World(rig, userId, plan);
    const steps = plan.steps.map(({ kind, device, dependsOn, runIf, maxAttempts }, index): StepSubmission => {
      const retry = kind === 'once' ? {} : { retry: { maxAttempts, backoffMs: 1_000 } };
      const targetDeviceId = String(deviceIds.get(device));
      const [source] = dependsOn;
      const what =
        kind === 'later' && source !== undefined
          ? { ...KINDS.later, parameters: { appName: { $from: `${source}.status` } } }
          : KINDS[kind === 'later' ? 'pure' : kind];
      return { id: `s${index}`, ...what, targetDeviceId, dependsOn, runIf, ...retry };
    });
    const answer = await rig.services.tasks.submit({
      userId,
      gone: new AbortController().signal,
      body: { steps, onFailure: plan.onFailure },
    });
    if (isRefusal(answer) || answer.kind !== 'task') throw new Error(`expected a task, got ${JSON.stringify(answer)}`);
    world.#task = answer.task;
    return world;
  }

  get task(): Task {
    if (this.#task === undefined) throw new Error('expected a task that was taken');
    return this.#task;
  }

  async let(happening: Happening): Promise<void> {
    await this.#do(happening);
    await settle();
    this.#look();
  }

  /** Everybody does their part, until nothing is left to do. */
  async untilRest(rounds: number): Promise<void> {
    for (let round = 0; round < rounds && this.task.finishedAt === undefined; round += 1) {
      for (const does of ['make room', 'unlock it', 'agent back', 'allow', 'succeed', 'resolve', 'wait'] as const) {
        // What is in doubt is begun anew first: a yes to it was spent.
        await this.let({ does, which: round + RESOLUTIONS.indexOf('again') });
      }
    }
  }

  /** Prompts of this user that wait. */
  prompts(): Confirmation[] {
    return wholePrompts(this.rig.services.console).filter(({ prompt }) => prompt.requester.userId === this.userId);
  }

  /** Answers that have not been given yet. */
  #open() {
    return this.rig.agent.sent.filter(
      ({ actionId }) => this.rig.store.actions.findById(actionId)?.status === 'running',
    );
  }

  async #do({ does, which }: Happening): Promise<void> {
    const { rig } = this;
    const open = this.#open();
    const params = open[which % Math.max(1, open.length)];
    const ever = rig.agent.sent[which % Math.max(1, rig.agent.sent.length)];
    switch (does) {
      case 'succeed':
        if (params !== undefined) await rig.agent.answer(done(), params);
        break;
      case 'fail':
        if (params !== undefined) await rig.agent.answer(notDone(), params);
        break;
      case 'answer twice':
        if (params === undefined) break;
        await rig.agent.answer(done(), params);
        await rig.agent.answer(notDone(), params);
        break;
      case 'answer late':
        if (ever !== undefined) await rig.agent.answer(done(), ever);
        break;
      case 'lose the agent':
        rig.agent.listener.lost();
        break;
      case 'agent away':
        rig.agent.become('starting');
        break;
      case 'agent back':
        rig.agent.become('online');
        break;
      case 'crash':
        this.#crash();
        break;
      case 'stop':
        await this.#stop();
        break;
      case 'allow':
      case 'deny':
        await this.#answerPrompt(does);
        break;
      case 'wait':
        rig.clock.advance(10_000);
        break;
      case 'wait long':
        rig.clock.advance(LONG_MS);
        break;
      case 'cancel':
        ask(() => rig.services.tasks.cancel(this.userId, this.task.taskId));
        break;
      case 'resolve':
        this.#resolve(which);
        break;
      case 'change the rules':
        this.#changeRules(which % 2 === 0 ? 'assist' : 'trusted');
        break;
      case 'let prompts expire':
        rig.clock.advance(90_000);
        break;
      case 'set the clock':
        rig.clock.setWallClock(rig.clock.nowMs() + (which % 2 === 0 ? 1 : -1) * 3_600_000);
        break;
      case 'fill the disk':
        this.#fillDisk();
        break;
      case 'lock the screen':
        rig.services.screen('locked');
        break;
      case 'unlock it':
        rig.services.screen('unlocked');
        break;
      case 'make room':
        rig.store.limitPages(MANY_PAGES);
    }
  }

  #changeRules(to: ProfileName): void {
    const before = this.#policyVersion();
    // What the new rules let through is sent within the call.
    const takeBack = this.#consent.rulesChanged(to);
    ask(() => this.rig.services.console.profiles.assign(this.userId, to));
    if (this.#policyVersion() === before) takeBack();
  }

  #policyVersion(): unknown {
    return this.rig.store.settings.get('policyVersion');
  }

  #crash(): void {
    this.#consent.ended();
    this.rig = this.rig.crashAndRestart();
    this.#watch();
  }

  /** Looks at everything that leaves the daemon, at the moment when it leaves. */
  #watch(): void {
    const { agent } = this.rig;
    const { perform } = agent;
    agent.perform = (params) => {
      if (params.actionType !== RESOLVE_TARGETS) this.#check(params);
      perform(params);
    };
  }

  #check(params: PerformParams): void {
    const { actionId, attempt, effectClass } = params;
    const { store } = this.rig;
    const action = store.actions.findById(actionId);
    if (action?.status !== 'running' || action.attempt !== attempt)
      this.violations.push(`${actionId} was sent before that was stored`);
    const task = store.tasks.findById(String(action?.taskId));
    const step = task?.steps.find(({ id }) => id === action?.stepId);
    if (task === undefined || step === undefined) return void this.violations.push(`${actionId} belongs to no step`);
    countUp(this.#sentFor, step.id);
    this.violations.push(...this.#consent.faults(step.id, { ...params, level: action?.risk.level ?? 'critical' }));
    this.violations.push(...orderFaults(task.steps, step), ...crowdFaults(task.steps));
    if (effectClass === 'once') this.violations.push(...this.#onceFaults(step.id));
  }

  #onceFaults(stepId: string): string[] {
    const { store } = this.rig;
    const running = store.actions
      .live()
      .filter(({ status, effectClass }) => status === 'running' && effectClass === 'once');
    const mayBeSent = 1 + (this.#begunAnew.get(stepId) ?? 0);
    return [
      ...(running.length > 1 ? [`${stepId} was sent beside another that may happen only once`] : []),
      ...(Number(this.#sentFor.get(stepId)) > mayBeSent ? [`${stepId} may happen only once and was sent again`] : []),
    ];
  }

  /** The daemon is stopped in order: what runs is called off and ends, or its time is up. */
  async #stop(): Promise<void> {
    const ended = this.rig.services.end().catch((error: unknown) => {
      if (!isStorageFailure(error)) throw error;
    });
    for (const { key } of this.rig.agent.cancelled.splice(0)) {
      const params = this.rig.agent.sent.find(({ actionId }) => actionId === key.actionId);
      if (params !== undefined) await this.rig.agent.answer(notDone({ cancelled: true }), params);
    }
    this.rig.clock.advance(10_000);
    await ended;
    this.#crash();
  }

  async #answerPrompt(decision: 'allow' | 'deny'): Promise<void> {
    const { services, clock } = this.rig;
    const [prompt] = services.console.confirmations.list();
    if (prompt === undefined) return;
    ask(() => services.console.confirmations.shown(prompt.id));
    clock.advance(2_000);
    if (prompt.presenceRequired) {
      ask(() => services.console.confirmations.hold(prompt.id, 'press'));
      clock.advance(1_000);
      ask(() => services.console.confirmations.hold(prompt.id, 'release'));
    }
    const { nonce, actionDigest } = prompt;
    // What it lets through is sent before the answer to it is there.
    const isThere = services.console.confirmations.list().some(({ id }) => id === prompt.id);
    if (decision === 'allow' && isThere) this.#consent.allowed(prompt);
    ask(() => services.console.confirmations.decide(prompt.id, { decision, scope: 'once', nonce, actionDigest }));
    if (this.rig.store.confirmations.find(prompt.id)?.status !== 'allowed') this.#consent.takenBack(prompt);
  }

  /** Lets the database grow no more, and fills the room its last pages have; the write that finds none is the last. */
  #fillDisk(): void {
    const { store, clock } = this.rig;
    store.limitPages(1);
    const append = () =>
      store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind: 'agent.start_requested' }) ?? true);
    while (ask(append) !== undefined);
  }

  #resolve(which: number): void {
    const unknown = this.task.steps.filter(({ status }) => status === 'unknown');
    const step = unknown[which % Math.max(1, unknown.length)];
    const resolution = RESOLUTIONS[which % RESOLUTIONS.length];
    if (step === undefined || resolution === undefined) return;
    const before = this.#begunAnew.get(step.id) ?? 0;
    if (resolution === 'again') this.#begunAnew.set(step.id, before + 1);
    const resolved = ask(() => this.rig.services.console.tasks.resolveStep(this.task.taskId, step.id, resolution));
    if (resolved === undefined) this.#begunAnew.set(step.id, before);
    else if (isRefusal(resolved)) throw new Error(resolved.detail);
  }

  /** Takes in what has become of the task, and what was sent since. */
  #look(): void {
    const task = this.rig.services.tasks.get(this.userId, this.task.taskId);
    if (isRefusal(task)) throw new Error(task.detail);
    this.#task = task;
  }
}

function orderFaults(steps: readonly StepRow[], { id, dependsOn, runIf }: StepRow): string[] {
  const before = steps.filter((other) => dependsOn.includes(other.id)).map(({ status }) => status);
  if (!before.every(isEnded)) return [`${id} was sent before what it depends on had ended`];
  const isMeant = {
    success: before.every((status) => status === 'success'),
    failure: before.some((status) => FAILED.includes(status)),
    always: true,
  }[runIf];
  return isMeant ? [] : [`${id} was sent, which runs on ${runIf}, after ${before.join(', ')}`];
}

function crowdFaults(steps: readonly StepRow[]): string[] {
  // What waits for the answer to the plan as a whole has not begun, and has no action.
  const underWay = steps.filter(
    ({ status, actionId }) => status === 'running' || (status === 'awaiting_confirmation' && actionId !== undefined),
  );
  return underWay.length > 4 ? [`${underWay.length} steps were under way at once`] : [];
}

/**
 * Asks something of the services. Who asks is told when the storage does not take it, and may ask again; what happens without
 * being asked for is told to nobody, so that an error there is the end of the daemon.
 */
function ask<Answer>(work: () => Answer): Answer | undefined {
  try {
    return work();
  } catch (error) {
    if (isStorageFailure(error)) return undefined;
    throw error;
  }
}

function countUp(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
