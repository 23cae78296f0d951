import type { Confirmation } from '../contract/console.ts';
import type { Platform } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import { LOCAL } from '../contract/machine-rules.ts';
import type { DaemonFacts, ReachTrials } from '../contract/settings.ts';
import { createActionService, createArtifactContents } from './actions/actions.ts';
import { createCallOffs } from './actions/call-offs.ts';
import { createExecutions } from './actions/execution.ts';
import { createFileUndos } from './actions/file-undo.ts';
import { createLiveActions } from './actions/live-actions.ts';
import { createRejudging } from './actions/rejudging.ts';
import { createAgentListener } from './agent/listener.ts';
import type { AgentListener, AgentPorts } from './agent/port.ts';
import type { AgentQuestions } from './agent/questions.ts';
import { createUntoldApps } from './agent/watch.ts';
import { createConfirmations } from './confirmations/confirmations.ts';
import { createTargetPictures } from './confirmations/target-pictures.ts';
import { createActivity } from './console/activity.ts';
import { createMachines, type MachineHost } from './console/machines.ts';
import { createPolicyDiffs } from './console/policy-diff.ts';
import { createRunFiles } from './console/run-files.ts';
import { createRuns } from './console/runs.ts';
import { createConsoleSettings } from './console/settings.ts';
import { createStolenSessions } from './console/stolen-session.ts';
import type { Context } from './context.ts';
import { createDeviceService } from './devices.ts';
import { createGuardian } from './guardian/guardian.ts';
import { createRequesterLines } from './guardian/requester-lines.ts';
import { createHealth } from './health.ts';
import { createClockWatch, createSleepWatch } from './lifecycle/clock-watch.ts';
import { createLifecycle } from './lifecycle/lifecycle.ts';
import type { ScreenChange } from './lifecycle/screen-lock.ts';
import { createStandstill } from './lifecycle/standstill.ts';
import { createMachineAgents, type MachineAgents } from './machines/agents.ts';
import type { Services } from './offered-services.ts';
import { createAllowedFolders, createOwnAccess } from './permissions/allowed-folders.ts';
import { createGrants } from './permissions/grants.ts';
import { createPermissions, type Permissions } from './permissions/permissions.ts';
import { createConsoleService } from './person-services.ts';
import { createProcedureServices } from './procedures/wiring.ts';
import { createArtifactService } from './records/artifacts.ts';
import { createEventStream } from './records/event-stream.ts';
import { createIdempotency } from './records/idempotency.ts';
import { createRefusalNotes } from './records/refusal-notes.ts';
import { createStorageLimits, createSweep } from './records/sweep.ts';
import { checkDatabaseSoon, journalSelf, watchJournal } from './records/verification.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { createCallingPrograms } from './requesters/calling-programs.ts';
import { createKnownRequesters, createRequesterList, createRequesters } from './requesters/requesters.ts';
import { createConsoleSessions } from './sessions/sessions.ts';
import type { Leap } from './steady-clock.ts';
import { createDashboardPrograms } from './targets/dashboard-programs.ts';
import type { TaskParts } from './tasks/checked-steps.ts';
import { createTaskService } from './tasks/tasks.ts';
import { tryToStore } from './work/storage-failure.ts';
import { every } from './work/turns.ts';

const SWEEP_EVERY_MS = 60_000;
const ANCHOR_EVERY_MS = 2_000;
const WATCH_EVERY_MS = 60_000;

/** The services that `http` calls, and the connections that the composition root makes. */
export type ServiceRoot = Services & {
  /** The callbacks of the link to the agent of a machine. */
  agentListener(machine: string): AgentListener;
  /** Asks the agent of this machine something that changes nothing. */
  ask: AgentQuestions['ask'];
  /** The desktop shell saw the person's finger on Touch ID, for this prompt. */
  touched(confirmationId: string): Confirmation | Refusal;
  /** A fresh sign-in code for the dashboard. */
  createSignInCode(): string;
  /** Whether a session of the dashboard is open. */
  isSignedIn(): boolean;
  /** To be called when the person's session is locked or unlocked. Before the first call the session counts as unlocked. */
  screen(now: ScreenChange): void;
  /**
   * Takes up the unfinished work of an earlier run. Called once. When it resolves, the daemon may take calls and start the agent.
   */
  begin(): Promise<void>;
  /** To be told of each leap of the computer's clock: the journal records it. */
  clockLeapt(leap: Leap): void;
  /** From now on compares metrics with their past and tells the person what they should know, every minute; verifies the journal daily. */
  watch(): void;
  /** Hands back the calls that wait, lets running actions end, and returns. */
  end(): Promise<void>;
  /** Keeps the sessions of the dashboard for the next run; to be called after the last call was served. */
  keepSessions(): void;
};

type ServiceOptions = {
  machines: AgentPorts & MachineHost;
  /** Starts the agent after the supervisor has given up; until it is online, the port says `starting`. */
  restartAgent(): void;
  /** Switches accessibility on in the session of the desktop; rejects where that has no such switch. */
  switchAccessibilityOn?: (() => Promise<void>) | undefined;
  /** Calls the person once in every way that is set up; none is where there is no such way. */
  tryToReach?: (() => Promise<ReachTrials['items']>) | undefined;
  version: string;
  /** The real path of the home folder of the person. */
  home?: string | undefined;
  instanceId: string;
  /** The settings of the environment, as the person is shown them. */
  variables: DaemonFacts['variables'];
  /** The shell command that connects an MCP client, without the name of the client. */
  connectCommand?: string | undefined;
  /** Whether the system can recognize the person by Touch ID now. Presence is then proven by that alone. */
  isTouchIdAvailable?: (() => boolean) | undefined;
  /** Whether the agent waits for the system to have a process for it. */
  isShortOfProcesses(): boolean;
  /** Whether the programs for the sandbox of scripts are installed. */
  scripts(): Health['checks']['scripts'];
  /** Why scripts do not work, where the agent has found that out. */
  scriptsReason?: (() => string | undefined) | undefined;
  desktopReason?: (() => string | undefined) | undefined;
  /** The kind of machine this is, which an agent that is still starting cannot tell yet. */
  platform: Platform | undefined;
};

/** Builds the services on one store and the agents of all machines. */
export function createServices(context: Context, options: ServiceOptions): ServiceRoot {
  const core = createCore(context, options);
  const { port, ask } = core.local;
  const { actions, tasks, artifacts, sessions } = core;
  core.dashboards.observedBy(core.grants.dashboardOpened);
  const stopSweeping = every(context, SWEEP_EVERY_MS, createSweep(context, core));
  const guardian = createGuardian(context, { ...core, port, pausedAt: core.stop.pausedAt });
  const watches: (() => void)[] = [];
  const stopAnchoring = every(context, ANCHOR_EVERY_MS, async () => {
    core.storageWatch.look();
    // A look at the clock finds a leap, also while nothing else happens.
    context.clock.nowMs();
  });
  return {
    health: createHealth(context, {
      ...options,
      port,
      storage: core.storageLimits.storage,
      isRenewed: core.storageWatch.isRenewed,
      acceptsOtherDaemons: () => core.settings.get().acceptsOtherDaemons,
    }),
    devices: core.devices,
    actions: actions.service,
    tasks: tasks.service,
    procedures: core.procedures.service,
    whenDenialChanges: core.confirmations.whenDenialChanges,
    ownAccess: createOwnAccess(context, core),
    artifacts,
    console: createConsoleService(context, {
      ...core,
      ...options,
      port,
      ask,
      machines: core.machines,
      profiles: core.permissions,
      policy: createPolicyDiffs(context, { permissions: core.permissions, foldersOf: core.foldersOf }),
      procedures: core.procedures.persons,
    }),
    events: createEventStream(context),
    guardian,
    isGenuine: core.requesters.isGenuine,
    isKnown: core.isKnown,
    noteRefusal: createRefusalNotes(context),
    noteFailure: context.store.noteFailure,
    agentListener: (machine) =>
      createAgentListener(context, {
        live: core.live,
        agent: core.agents.on(machine),
        execution: core.execution.on(machine),
      }),
    ask,
    touched: core.confirmations.touched,
    createSignInCode: sessions.createCode,
    isSignedIn: () => sessions.list('').length > 0,
    keepSessions: sessions.keep,
    screen: core.startUp.screen,
    clockLeapt: createClockWatch(context),
    begin() {
      journalSelf(context, {
        kind: 'daemon.started',
        metadata: { version: options.version, instanceId: options.instanceId },
      });
      sessions.takeUp();
      core.grants.endOfRun();
      return core.startUp.begin();
    },
    watch() {
      const noteSleep = createSleepWatch(context);
      watches.push(
        every(context, WATCH_EVERY_MS, async () => {
          noteSleep();
          guardian.lookAround();
        }),
        watchJournal(context),
        checkDatabaseSoon(context),
      );
    },
    async end() {
      core.startUp.end();
      stopSweeping();
      for (const stop of watches) stop();
      stopAnchoring();
      core.storageLimits.end();
      tasks.end();
      await core.shutdown.end();
      tryToStore(context, 'the end of this run could not be stored', () => {
        journalSelf(context, { kind: 'daemon.stopped' });
      });
    },
  };
}

/** The use cases, each given those it needs. */
function createCore(context: Context, options: ServiceOptions) {
  const { platform, home, isTouchIdAvailable = () => false } = options;
  const agents = createMachineAgents(context, options.machines);
  const local = agents.on(LOCAL);
  const live = createLiveActions(context);
  const alone = createAlone(context);
  const callOffs = createCallOffs(context, { live });
  const standstill = createStandstill();
  const permissions = createPermissions(context, { callOffs });
  const { isKnown } = createKnownRequesters(context, permissions);
  const { folders, known } = createKnown(context, agents, permissions);
  const fileUndos = createFileUndos(context, agents);
  const granted = () => rejudging.granted();
  const holds = { ...standstill, isKnown, isCalledOff: callOffs.isCalledOff, granted, ...known };
  const requesters = createRequesters(context, { callOffs });
  const grants = createGrants(context, { callOffs });
  const settings = createConsoleSettings(context);
  const devices = createDeviceService(context, { agents, platform, machineHost: options.machines, callOffs });
  const untoldApps = createUntoldApps(context, local.port);
  const execution = createExecutions(context, {
    agents,
    live,
    capabilitiesOf: (row) => capabilitiesOf(devices, row),
    keepsEvidence: () => settings.get().keepsEvidence,
    dashboards: alone.dashboards.shown, // guard A28-3
    looked: ({ userId }) => alone.sessions.codeSeen(userId),
    described: untoldApps.note,
    handsOff: () => confirmations.handsOff,
    ...holds,
  });
  const confirmations = createConfirmations(context, {
    live,
    grants,
    requesters,
    policyVersion: permissions.policyVersion,
    expiryMs: () => settings.get().promptExpiryMs,
    allowed: execution.enqueue,
    inputEndedAtMs: execution.inputEndedAtMs,
    promptsChanged: execution.lookAgain,
    requiredPresence: () => (isTouchIdAvailable() ? 'touchId' : 'hold'),
    ...holds,
    usually: alone.lines.forPrompt,
  });
  const requesterList = createRequesterList(context, { permissions, waiting: confirmations.waiting });
  const targetPicture = createTargetPictures(context, { ...confirmations, live, agents });
  const rules = {
    permissions,
    grants,
    marked: alone.dashboards.marked,
    isCodeGood: alone.sessions.isCodeGood,
    ...known,
  };
  const judging = { live, rules, confirmations, execution, callOffs, deviceOf: devices.row };
  const rejudging = createRejudging(context, { ...judging, stopped: standstill.refusal });
  const submissionParts: TaskParts = {
    ...judging,
    rejudging,
    agents,
    programs: createCallingPrograms(context, confirmations),
    requesters,
    isKnown,
    stopped: standstill.refusal,
  };
  const idempotency = createIdempotency(context);
  const actions = createActionService(context, { ...submissionParts, idempotency });
  const tasks = createTaskService(context, { ...submissionParts, idempotency, cancelAction: actions.cancel });
  const { runs } = alone;
  const procedures = createProcedureServices(context, {
    tasks: tasks.service,
    runs,
    grants,
    devices,
    agents,
    isKnown,
    home,
    marked: alone.dashboards.marked,
    dashboards: alone.dashboards.shown,
    keepsEvidence: () => settings.get().keepsEvidence,
  });
  tasks.observedBy(procedures.taskEnded);
  const lifecycle = createLifecycle(context, { ...submissionParts, callOffs, actions, tasks, standstill });
  permissions.observedBy(() => {
    confirmations.plans.makeOutdatedVoid(); // guard A6-6
    rejudging.rulesChanged();
  });

  const people = { permissions, requesters, requesterList, isKnown, devices };
  const running = {
    live,
    ...lifecycle,
    execution,
    agents,
    local,
    untoldApps,
    confirmations,
    idempotency,
    actions,
    tasks,
    procedures,
  };
  const machines = createMachines(context, {
    ...options.machines,
    agents,
    execution,
    removeDevice: devices.removeByPerson,
  });
  const { foldersOf } = known;
  return { ...running, ...people, machines, grants, folders, foldersOf, settings, targetPicture, fileUndos, ...alone };
}

/** The facts that rules need beside an action. */
function createKnown(context: Context, agents: MachineAgents, permissions: Permissions) {
  const folders = createAllowedFolders(context, { permissions, targets: agents.on(LOCAL).targets });
  const known = {
    artifactOf: createArtifactContents(context),
    // The person allowed folders of this machine.
    foldersOf: (userId: string, machine: string) => (machine === LOCAL ? folders.of(userId) : []), // guard N55-3
    displays: (deviceId: string) => agents.of(deviceId).displays(),
    hasLeave: context.store.machines.hasLeave,
  };
  return { folders, known };
}

/** The use cases that need no other. */
function createAlone(context: Context) {
  const artifacts = createArtifactService(context);
  const storageLimits = createStorageLimits(context, artifacts);
  const dashboards = createDashboardPrograms();
  const stolen = createStolenSessions(context);
  const sessions = createConsoleSessions(context, { programs: dashboards, stolen });
  const activity = createActivity(context);
  const runs = createRuns(context);
  const runFiles = createRunFiles(context, { runs, activity, artifacts });
  return {
    activity,
    runs: { list: runs.list, one: runs.one, find: runs.find, save: runFiles.save },
    artifacts,
    storageLimits,
    sessions,
    dashboards,
    stolen,
    lines: createRequesterLines(context),
  };
}

function capabilitiesOf(devices: ReturnType<typeof createDeviceService>, row: { userId: string; deviceId: string }) {
  const device = devices.row(row.userId, row.deviceId);
  return isRefusal(device) ? {} : device.capabilities;
}
