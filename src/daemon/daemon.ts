import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { switchAccessibilityOn } from '../agent-host/accessibility-switch.ts';
import type { AgentEntry } from '../agent-host/process.ts';
import { createScriptCheck, scriptNeeds } from '../agent-host/script-needs.ts';
import type { SpawnAgent } from '../agent-host/supervisor.ts';
import type { Platform } from '../contract/device.ts';
import { LOCAL } from '../contract/machine-rules.ts';
import type { HttpLog } from '../http/app.ts';
import { listen } from '../http/listen.ts';
import type { CommandLine } from '../http/routes/command-line.ts';
import { createHttpServer } from '../http/server.ts';
import { assetPath, commandFilePath, programFolder } from '../launch/assets.ts';
import { ownCommand, shellWord } from '../launch/own-command.ts';
import { noteForAccount } from '../own-daemon/account-note.ts';
import { openOwnWindow, profileArgument } from '../own-daemon/own-window.ts';
import { describeSettings, RUNS_AS_ROOT, type Settings } from '../own-daemon/settings.ts';
import { createCommandLineOf, createFindDashboard } from '../peers/dashboard-family.ts';
import { createDescends, createFindPeer, createFindProgram } from '../peers/find-caller.ts';
import { createPeerGate, type PeerGate, uidsOf } from '../peers/gate.ts';
import { channelsOf } from '../reach/channels.ts';
import { createReach } from '../reach/reach.ts';
import { type Context, createIds, systemClock } from '../services/context.ts';
import type { ScreenChange } from '../services/lifecycle/screen-lock.ts';
import { renewalWords } from '../services/lifecycle/storage-watch.ts';
import { createPersonDoor, type PersonDoor } from '../services/person-door.ts';
import { createSteadyClock, type SteadyClock } from '../services/steady-clock.ts';
import { createServices } from '../services/wiring.ts';
import { type NotedDaemon, noteDaemon } from '../store/database/data-directory.ts';
import { isDamage } from '../store/database/database.ts';
import { createStore, type Store } from '../store/store.ts';
import { type AgentStart, createAgent } from './agent.ts';
import { createMachineHost } from './machine-host.ts';
import { personVerbs } from './person-verbs.ts';

export type Daemon = {
  port: number;
  dashboardAddress: string;
  /** A fresh one-use code that signs in at the dashboard; the one before it, if unused, ends. */
  createSignInCode(): string;
  /** Whether a session of the run before goes on, or one was opened since. */
  isSignedIn(): boolean;
  /** Counts somebody's attempt to approve in the person's place that was made at a door of the shell. */
  noteSelfApproval(): void;
  /**
   * A desktop shell calls this when the person's session is locked or unlocked, or the computer suspended or resumed.
   * Meanwhile no request is accepted and no action sent, and pending prompts have expired.
   */
  screen(now: ScreenChange): void;
  /** For the windows and the menu of a desktop shell that runs in this process. */
  person: PersonDoor;
  /** Hands back the calls that wait, gives running actions ten seconds to end, and closes everything. */
  close(): Promise<void>;
};

export type DaemonOptions = {
  settings: Settings;
  log: HttpLog;
  /**
   * Serves the person's command line, such as `handrail pause`. `hasTerminal`: the person reads sign-in codes in the terminal of the
   * daemon. A desktop shell leaves this out: its menu has the same verbs.
   */
  commandLine?: { hasTerminal: boolean };
  /** The environment for the agent's process, under Node. */
  environment: NodeJS.ProcessEnv;
  /** How the agent's process is made; a child process under Node, a utility process in Electron. */
  spawnAgent?: (start: AgentStart) => SpawnAgent;
  /** Whether the system can recognize the person by Touch ID now. Only a desktop shell knows. */
  isTouchIdAvailable?: () => boolean;
  /** For tests that look on as the store is written to, or the agent does its work. */
  openStore?: typeof createStore;
  agentEntry?: AgentEntry;
  /** Whether a desktop shell in this process shows notifications. */
  isShell?: boolean;
};

const PLATFORMS: Partial<Record<NodeJS.Platform, Platform>> = { darwin: 'macos', linux: 'linux' };

const STOPPED = 'Everything is paused until the person resumes.';
const REBUILT =
  'the database could not be read; it was moved aside and built anew from what can be read; everything is paused until the person resumes';

const VERSION = String(JSON.parse(readFileSync(assetPath('manifest'), 'utf8')).version);

/**
 * The composition root: store, services, http, agent. Resolves as soon as it listens; the agent comes after that, and calls
 * that need it wait for it.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { settings, log, openStore = createStore } = options;
  const peerGate = await createGate(options);
  const clock = createSteadyClock();
  const store = openStore({ path: settings.dataDirectory, now: clock.nowMs });
  if (store.renewal !== undefined) {
    log.error(store.renewal, store.renewal.older === undefined ? REBUILT : `${renewalWords(store.renewal)} ${STOPPED}`);
  }
  try {
    return await startOn({ store, clock, peerGate }, options);
  } catch (error) {
    store.noteFailure(error);
    throw isDamage(error) ? new DamagedDatabase(damageWords(store.path), { cause: error }) : error;
  }
}

/** The database turned out to be damaged while the daemon started. The next start builds it anew. */
class DamagedDatabase extends Error {
  override name = 'DamagedDatabase';
}

function damageWords(path: string): string {
  return `the database in ${path} is damaged. Start again: the next start builds it anew from everything that can be read and keeps the damaged one. \`npm run audit -- --export FILE\` writes what can be read to a file.`;
}

/** A home folder that is not there has no files to name. */
function realHome(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

type Opened = { store: Store; clock: SteadyClock; peerGate: PeerGate };

type Installation = {
  /** The file of the command `handrail`. */
  commandFile: string;
  environment: NodeJS.ProcessEnv;
};

/** Settings of the daemon that the command must have too, so that the entry it writes leads to the same daemon. */
const PASSED_ON = ['HANDRAIL_DATA_DIR', 'HANDRAIL_PORT'] as const;

/**
 * The shell command that connects an MCP client with this daemon, without the client's name, such as
 * `node /opt/handrail/src/launch/handrail.cjs connect`. It works in any folder. Undefined where Handrail runs without its command line.
 */
export function connectCommand({ commandFile, environment }: Installation): string | undefined {
  if (!existsSync(commandFile)) return undefined;
  const settings = PASSED_ON.flatMap((name) => {
    const value = environment[name];
    if (value === undefined || value === '') return [];
    return [`${name}=${shellWord(name === 'HANDRAIL_DATA_DIR' ? resolve(value) : value)}`];
  });
  return [...settings, ownCommand(commandFile, environment.PATH), 'connect'].join(' ');
}

async function startOn({ store, clock, peerGate }: Opened, options: DaemonOptions): Promise<Daemon> {
  const { settings, log } = options;
  const instanceId = randomUUID();
  const context: Context = { store, clock, log, newId: createIds(clock) };
  const agent = createAgent(options);
  const machineHost = createMachineHost({ ...options, local: agent.link.port, sshConfig: settings.sshConfig });
  const services = createServices(context, {
    machines: machineHost,
    restartAgent: agent.restart,
    switchAccessibilityOn: () => switchAccessibilityOn(options.environment),
    tryToReach: () => reach.tryOut(),
    version: VERSION,
    home: realHome(homedir()),
    instanceId,
    platform: PLATFORMS[process.platform],
    variables: describeSettings(settings),
    connectCommand: connectCommand({ commandFile: commandFilePath(), environment: options.environment }),
    scripts: checkScripts(options),
    scriptsReason: agent.scriptsReason,
    desktopReason: agent.desktopReason,
    isShortOfProcesses: agent.isShort,
    isTouchIdAvailable: options.isTouchIdAvailable,
  });
  clock.observedBy(services.clockLeapt);
  agent.link.listen(services.agentListener(LOCAL));
  machineHost.listen(services.agentListener);
  const person = createPersonDoor(services, { port: agent.link.port, log });
  const { createSignInCode } = services;
  const { machines, profiles, policy } = services.console;
  const rules = { list: profiles.list, diff: policy.diff };
  const commandLine = createCommandLine({ createSignInCode, person, policy: rules, machines }, options);
  const calls = Promise.withResolvers<void>();
  const app = await createHttpServer({
    ready: calls.promise,
    services,
    agentDoor: agent.link.door,
    peerGate,
    findProgram: createFindProgram(process.platform, programFolder()),
    findDashboard: createFindDashboard(createCommandLineOf(process.platform), profileArgument(settings.dataDirectory)),
    commandLine,
    rateLimits: settings.rateLimits,
    mcp: settings.mcp,
    log,
  });
  let isClosing = false;
  const begun = services.begin();
  void begun.then(calls.resolve);
  services.watch();
  const port = await listen(app, settings.port);
  const forget = tryToNote(options, { port, key: commandLine?.key }, instanceId);
  void begun.then(() => {
    if (isClosing) return;
    agent.begin(port);
    for (const row of store.machines.list()) machineHost.begin(row);
  });
  const dashboardAddress = `http://127.0.0.1:${port}/`;
  // The app in the menu bar shows that a prompt waits, for as long as it runs.
  if (options.isShell === true) services.console.confirmations.pageOpened();
  const reach = createReach({ person, channels: channelsOf(waysOf(options, dashboardAddress)), log });
  return {
    port,
    dashboardAddress,
    createSignInCode,
    isSignedIn: services.isSignedIn,
    noteSelfApproval: () => services.noteRefusal({ refused: 'approval_requires_person' }),
    screen: services.screen,
    person,
    async close() {
      isClosing = true;
      await reach.close();
      // The agent and its desktop are processes of their own, so they must be ended even if an earlier step fails.
      try {
        await services.end();
      } finally {
        await Promise.all([agent.end(), machineHost.close()]);
        await app.close();
        forget?.();
        services.keepSessions();
        store.close();
      }
    },
  };
}

function waysOf({ settings, environment, isShell = false }: DaemonOptions, address: string) {
  const { platform } = process;
  const show = () => {
    const opened = openOwnWindow({ dataDirectory: settings.dataDirectory, address }, { platform, environment });
    // A desktop without xdg-open shows the notification all the same.
    if (opened === undefined || 'because' in opened)
      execFile('xdg-open', [address], { timeout: 10_000 }, () => undefined);
  };
  return { platform, environment, show, hook: settings.notify, isShell };
}

/** The key is a new one at each start, and is kept in the data directory only. */
function createCommandLine(
  side: Parameters<typeof personVerbs>[0],
  { commandLine, log }: DaemonOptions,
): CommandLine | undefined {
  if (commandLine === undefined) return undefined;
  const verbs = personVerbs(side, { ...commandLine, log });
  return { key: randomBytes(32).toString('base64url'), verbs, descends: createDescends(process.platform) };
}

/**
 * Notes this daemon, and answers how to take away the note for its account. Without the note a second start finds this daemon at the port of the settings only, and the command line not at all. A full disk
 * must not end the daemon for that.
 */
function tryToNote({ settings, log }: DaemonOptions, noted: NotedDaemon, instanceId: string): (() => void) | undefined {
  const { dataDirectory, accountFolder } = settings;
  try {
    noteDaemon(dataDirectory, noted);
  } catch (error) {
    log.warn(
      { err: error },
      'the port is not noted in the data directory, so the command line cannot reach this daemon',
    );
  }
  try {
    if (accountFolder === undefined) return undefined; // guard N55-8
    return noteForAccount(accountFolder, dataDirectory, { port: noted.port, instanceId });
  } catch (error) {
    log.warn({ err: error, accountFolder }, 'agents of other computers do not see this daemon, and may act here');
    return undefined;
  }
}

/** Says once at the start what scripts need and the machine lacks; actions of files work without it. */
function checkScripts({ environment, log }: DaemonOptions): () => 'available' | 'unavailable' {
  const asRoot = process.geteuid?.() === 0;
  if (asRoot) log.warn({}, RUNS_AS_ROOT);
  const machine = { platform: process.platform, path: environment.PATH ?? '', asRoot };
  for (const line of scriptNeeds(machine).lines) log.warn({}, line);
  return createScriptCheck(machine, systemClock.monotonicMs);
}

async function createGate({ settings, log }: DaemonOptions): Promise<PeerGate> {
  const served = [process.geteuid?.() ?? 0, ...(await uidsOf(settings.allowOsUsers))];
  return createPeerGate({ find: createFindPeer(process.platform), served, log });
}
