import type { Platform } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import type { ActionRow } from '../store/actions.ts';
import type { DeviceRow } from '../store/devices.ts';
import { createActionService } from './actions/actions.ts';
import { createLiveActions, type LiveActions } from './actions/live-actions.ts';
import { createRunner } from './actions/runner.ts';
import type { SubmissionParts } from './actions/submission.ts';
import { createAgentListener } from './agent-listener.ts';
import type { AgentListener, AgentPort } from './agent-port.ts';
import { createAgentQuestions } from './agent-questions.ts';
import { createAgentReadiness } from './agent-readiness.ts';
import { createAppResolution } from './app-resolution.ts';
import { createArtifactService } from './artifacts.ts';
import { createConfirmations } from './confirmations/confirmations.ts';
import { createConsoleService } from './console.ts';
import { createConsoleSessions } from './console-sessions.ts';
import { createConsoleSettings } from './console-settings.ts';
import { createContentsQuota } from './contents-quota.ts';
import type { Context } from './context.ts';
import { createDeviceService } from './devices.ts';
import { createEventStream } from './event-stream.ts';
import { createGrants } from './grants.ts';
import { createGuardian } from './guardian/guardian.ts';
import { createIdempotency } from './idempotency.ts';
import { journalSelf } from './journal-self.ts';
import { watchJournal } from './journal-verification.ts';
import { createKnownRequesters } from './known-requesters.ts';
import { createPermissions } from './permissions.ts';
import { recover } from './recovery.ts';
import { isRefusal } from './refusal.ts';
import { createRefusalNotes } from './refusal-notes.ts';
import { createRequesters } from './requesters.ts';
import { createRetention } from './retention.ts';
import type { ScreenChange } from './screen-lock.ts';
import type { Services } from './services.ts';
import { createSleepWatch } from './sleep-watch.ts';
import { createStops } from './stops.ts';
import { untilStored } from './storage-failure.ts';
import { createTaskService } from './tasks/tasks.ts';

const SWEEP_EVERY_MS = 60_000;
const ANCHOR_EVERY_MS = 2_000;
const WATCH_EVERY_MS = 60_000;
/** How long running work may take to end when the daemon stops. */
const DRAIN_MS = 8_000;
const ENDED_UNANSWERED = 'The daemon was stopped before a person answered; nothing was done.';

/** Everything `http` may call, and what the composition root has to connect it to. */
export type ServiceRoot = Services & {
  /** What the agent link calls. */
  agentListener: AgentListener;
  /** A fresh sign-in code for the dashboard. */
  createSignInCode(): string;
  /** To be told when the person's session is locked, and when it is not any more; as long as nobody says so, it is not. */
  screen(now: ScreenChange): void;
  /** Takes up what an earlier run left; called once, when the agent may be spoken to. */
  begin(): void;
  /** From now on compares metrics with their past and tells the person what they should know, every minute; verifies the journal daily. */
  watch(): void;
  /** Hands back what waits, lets what runs end, and returns. */
  end(): Promise<void>;
};

type ServiceOptions = {
  port: AgentPort;
  /** Starts an agent that is not started any more by itself; until it is there the port says `starting`. */
  restartAgent(): void;
  version: string;
  instanceId: string;
  /** The kind of machine this is, which an agent that is still starting cannot tell yet. */
  platform: Platform | undefined;
};

/** Builds the services on one store and one agent. */
export function createServices(context: Context, options: ServiceOptions): ServiceRoot {
  const { port, restartAgent } = options;
  const core = createCore(context, options);
  const { live, runner, confirmations, actions, tasks, artifacts, sessions } = core;
  const retention = createRetention(context);
  const stopSweeping = every(context, SWEEP_EVERY_MS, async () => {
    core.idempotency.sweep();
    tasks.sweep();
    await retention();
    await artifacts.sweep();
    await core.contentsQuota.enforce();
  });
  const guardian = createGuardian(context, { port, live, pausedAt: core.stop.pausedAt });
  const watches: (() => void)[] = [];
  const stopAnchoring = every(context, ANCHOR_EVERY_MS, async () => context.store.anchor());
  return {
    health: createHealth(context, { ...options, storage: core.contentsQuota.storage }),
    devices: core.devices,
    actions: actions.service,
    tasks: tasks.service,
    artifacts,
    console: createConsoleService(context, { ...core, port, restartAgent }),
    events: createEventStream(context),
    guardian,
    isGenuine: core.requesters.isGenuine,
    isKnown: core.isKnown,
    noteRefusal: createRefusalNotes(context),
    agentListener: createAgentListener(context, { ...core, port }),
    createSignInCode: sessions.createCode,
    screen: core.screen.changed,
    begin() {
      journalSelf(context, {
        kind: 'daemon.started',
        metadata: { version: options.version, instanceId: options.instanceId },
      });
      core.grants.endOfRun();
      tasks.load();
      const isStopped = core.stop.isPaused();
      if (!isStopped) confirmations.plans.endOfRun();
      recover(context, { live, runner, isStopped });
      core.stop.carryOut();
    },
    watch() {
      const noteSleep = createSleepWatch(context);
      watches.push(
        every(context, WATCH_EVERY_MS, async () => {
          noteSleep();
          await guardian.assessTrends();
        }),
        every(context, WATCH_EVERY_MS, async () => guardian.lookAround()),
        watchJournal(context),
      );
    },
    async end() {
      stopSweeping();
      for (const stop of watches) stop();
      stopAnchoring();
      core.contentsQuota.end();
      tasks.end();
      for (const end of confirmations.refusals({ status: 'expired', details: ENDED_UNANSWERED })) end();
      for (const row of live.all()) actions.cancel(row, 'shutdown');
      await allEnded(context, live);
      guardian.rememberTrends();
      journalSelf(context, { kind: 'daemon.stopped' });
    },
  };
}

/** The use cases, each given those it needs. */
function createCore(context: Context, { port, platform }: ServiceOptions) {
  const live = createLiveActions(context);
  const readiness = createAgentReadiness(context.clock, port);
  const lastSeen = createLastSeen(context, port);
  const permissions = createPermissions(context, {
    live,
    changed: () => untilStored(context, confirmations.plans.makeOutdatedVoid),
  });
  const isStopped = () => stops.refusal() !== undefined;
  const requesters = createRequesters(context, { permissions, live, waiting: () => confirmations.waiting() });
  const { isKnown } = createKnownRequesters(context, permissions);
  const grants = createGrants(context, { live });
  const settings = createConsoleSettings(context);
  const devices = createDeviceService(context, {
    port,
    platform,
    lastSeenAtMs: lastSeen.atMs,
    cancelActionsOf: (device) => cancelActionsOf(device, { live, cancel: actions.cancel }),
  });
  const runner = createRunner(context, {
    port,
    live,
    capabilitiesOf: (row) => capabilitiesOf(devices, row),
    unjudgedAppsOf: permissions.unjudgedApps,
    isKnown,
    isStopped,
    heldUntilMs: () => stops.screen.heldUntilMs(),
  });
  const confirmations = createConfirmations(context, {
    live,
    grants,
    requesters,
    policyVersion: permissions.policyVersion,
    expiryMs: () => settings.get().promptExpiryMs,
    allowed: runner.enqueue,
    isStopped,
    heldUntilMs: () => stops.screen.heldUntilMs(),
  });
  const questions = createAgentQuestions(context, port);
  const resolution = createAppResolution(context, port, questions);
  const submissionParts: SubmissionParts = {
    port,
    live,
    runner,
    confirmations,
    requesters,
    isKnown,
    rules: { permissions, grants, apps: resolution, displays: () => port.agent()?.displays ?? [] },
    deviceOf: devices.row,
    apps: resolution,
    ask: questions.ask,
    stopped: () => stops.refusal(),
    agentReady: readiness.ready,
  };
  const idempotency = createIdempotency(context);
  const actions = createActionService(context, { ...submissionParts, idempotency });
  const tasks = createTaskService(context, { ...submissionParts, idempotency, cancelAction: actions.cancel });
  const stops = createStops(context, { live, runner, confirmations, actions, tasks });

  function agentChanged(): void {
    for (const tell of [lastSeen.note, readiness.changed, runner.agentChanged]) tell();
  }

  const rules = { permissions, requesters, isKnown, grants, settings };
  const artifacts = createArtifactService(context);
  const contentsQuota = createContentsQuota(context, { removeArtifact: artifacts.expire });
  const alone = { artifacts, contentsQuota, sessions: createConsoleSessions(context) };
  const running = { live, runner, questions, devices, confirmations, idempotency, actions, tasks };
  return { ...running, stop: stops.emergency, screen: stops.screen, agentChanged, ...rules, ...alone };
}

function cancelActionsOf(
  device: DeviceRow,
  { live, cancel }: { live: LiveActions; cancel(row: ActionRow, reason: 'device_removed'): void },
): void {
  for (const row of live.all().filter(({ deviceId }) => deviceId === device.id)) cancel(row, 'device_removed');
}

function createLastSeen({ clock }: Context, port: AgentPort) {
  let seenAtMs: number | undefined;
  return {
    note(): void {
      if (port.status() === 'online') seenAtMs = clock.nowMs();
    },
    atMs: (): number | undefined => (port.status() === 'online' ? clock.nowMs() : seenAtMs),
  };
}

function createHealth(
  { store, clock }: Context,
  parts: { port: AgentPort; version: string; instanceId: string; storage(): Health['storage'] },
): () => Health {
  const { port, version, instanceId, storage } = parts;
  const startedAtMs = clock.monotonicMs();
  return () => {
    const isWritable = store.isWritable();
    const agent = port.status();
    return {
      status: isWritable ? 'ok' : 'degraded',
      service: 'handrail',
      version,
      uptimeMs: Math.round(clock.monotonicMs() - startedAtMs),
      instanceId,
      checks: {
        overall: isWritable && agent !== 'offline' ? 'ok' : 'degraded',
        store: isWritable ? 'ok' : 'failing',
        agent,
      },
      storage: storage(),
    };
  };
}

function capabilitiesOf(devices: ReturnType<typeof createDeviceService>, row: { userId: string; deviceId: string }) {
  const device = devices.row(row.userId, row.deviceId);
  return isRefusal(device) ? {} : device.capabilities;
}

/** Does something again and again, with a pause in between, until called off. */
function every({ clock, log }: Context, pauseMs: number, work: () => Promise<void>): () => void {
  let stop = clock.after(pauseMs, run);
  function run(): void {
    work().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed; it is tried again'));
    stop = clock.after(pauseMs, run);
  }
  return () => stop();
}

async function allEnded({ clock }: Context, live: LiveActions): Promise<void> {
  const ends = live.all().map((row) => new Promise<void>((resolve) => void live.whenEnded(row.id, () => resolve())));
  const patience = Promise.withResolvers<void>();
  const stop = clock.after(DRAIN_MS, patience.resolve);
  await Promise.race([Promise.all(ends), patience.promise]);
  stop();
}
