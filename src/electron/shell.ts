import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PermissionToGive } from '../contract/shell.ts';
import type { AgentStart } from '../daemon/agent.ts';
import { type Daemon, type DaemonOptions, startDaemon } from '../daemon/daemon.ts';
import { findRunningDaemon, startFailureOf } from '../own-daemon/running-daemon.ts';
import { secondStartData } from '../shell/asks.ts';
import { createEnding, endProcess } from '../shell/ending.ts';
import { failedStart } from '../shell/failed-start.ts';
import { inOrder } from '../shell/log.ts';
import { createScreenWatch, type MacPrograms } from '../shell/mac-programs.ts';
import { mayGoTo, mayHave } from '../shell/own-page.ts';
import { createGrantMemory, createPermissionLooks, type PermissionLooks } from '../shell/permission-walk.ts';
import { createTouchId, type TouchId } from '../shell/touch-id.ts';
import { createDoors } from './doors.ts';
import type { PowerEvents, ShellChild, ShellContents, ShellOptions, ShutdownEvents, Surface } from './surface.ts';
import { openUserInterface } from './user-interface.ts';
import { PARTITION } from './windows.ts';

/** Only `locked` is of interest, which electron reports whatever the threshold is. */
const IDLE_THRESHOLD_SECONDS = 60;

type EndInOrderOptions = {
  app: Pick<Surface['app'], 'on' | 'quit' | 'exit'>;
  powerMonitor: ShutdownEvents;
  /** Ends the running actions, then the agent, then the store. Must not fail. */
  close(): Promise<void>;
};

/** Ends the app in order, on a request from the menu, at the end of the login session and at a shutdown. Each waits until the daemon has closed. */
function endInOrder({ app, powerMonitor, close }: EndInOrderOptions): void {
  const end = createEnding({ close, exit: (code) => app.exit(code) });
  app.on('before-quit', (event) => {
    event.preventDefault();
    end();
  });
  powerMonitor.on('shutdown', (event) => {
    event?.preventDefault();
    app.quit();
  });
}

/**
 * Starts the app in the menu bar: the daemon in this process, the agent in a process of its own, and the person's windows. Resolves
 * when it serves, or when it has handed over to the app that runs already, or has said why it cannot start.
 */
export async function startShell(options: ShellOptions): Promise<'serving' | 'handed over' | 'failed'> {
  const { electron, settings, platform } = options;
  const { app } = electron;
  const folder = `${settings.dataDirectory}-shell`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
  app.enableSandbox();
  const doors = createDoors(app);
  if (!app.requestSingleInstanceLock(secondStartData(options.words))) {
    app.quit();
    return 'handed over';
  }
  if (platform === 'darwin') app.setActivationPolicy('accessory');
  // Without a listener electron would quit with the last window.
  app.on('window-all-closed', () => undefined);
  let daemon: Daemon | undefined;
  buildWalls(electron, () => daemon?.dashboardAddress);
  await app.whenReady();
  denyPermissions(electron, () => daemon?.dashboardAddress);
  setMenu(electron);
  stayAwake(options);
  const touchId = touchIdOf(options, () => daemon?.person);
  try {
    daemon = await startDaemon(daemonOptions(options, touchId.isAvailable));
  } catch (error) {
    await explain(error, options);
    app.exit(1);
    return 'failed';
  }
  const looks = permissionLooksOf(options, { person: daemon.person, folder });
  const userInterface = openUserInterface({ ...options, daemon, doors, touchId, looks });
  const { close } = daemon;
  endInOrder({
    ...electron,
    close: () => inOrder([userInterface.close, close, userInterface.removeIcon], NOT_CLOSED, options.log),
  });
  watchPower(electron.powerMonitor, daemon, platform === 'darwin' ? options.mac.screenNow : undefined);
  return 'serving';
}

const NOT_CLOSED = 'a part of the app could not be closed';

function touchIdOf({ electron, platform }: ShellOptions, person: () => Daemon['person'] | undefined): TouchId {
  const { systemPreferences } = electron;
  return createTouchId({
    isAvailable: () => platform === 'darwin' && systemPreferences.canPromptTouchID(),
    promptFor: (reason) => systemPreferences.promptTouchID(reason),
    person,
  });
}

function permissionLooksOf(
  { electron, platform, environment, log }: ShellOptions,
  { person, folder }: { person: Daemon['person']; folder: string },
): PermissionLooks {
  return createPermissionLooks({
    platform,
    person,
    version: electron.app.getVersion(),
    // Set by macOS for every app that was started as one.
    bundleId: environment.__CFBundleIdentifier,
    switchedOn: () => readSwitches(electron),
    memory: createGrantMemory(join(folder, 'grants.json'), log),
  });
}

function daemonOptions(
  { electron, paths, settings, log, environment }: ShellOptions,
  isTouchIdAvailable: () => boolean,
): Parameters<typeof startDaemon>[0] {
  const { utilityProcess } = electron;
  return {
    settings,
    log,
    environment,
    isTouchIdAvailable,
    isShell: true,
    spawnAgent: (start) => createUtilityAgent({ ...start, utilityProcess, entry: paths.agent }),
  };
}

/** Says in a dialog why the app cannot start. Where a daemon of ours runs already, offers its dashboard. */
async function explain(error: unknown, { electron, settings, log }: ShellOptions): Promise<void> {
  log.error({ err: error }, 'the daemon did not start');
  const failure = startFailureOf(error);
  const { dashboardAddress, ...dialog } = failedStart({
    failure,
    running: failure === 'other' ? undefined : await findRunningDaemon(settings),
    port: settings.port,
    reason: error instanceof Error ? error.message : String(error),
  });
  // An app without an icon in the Dock comes to the front only if it asks for it, and its dialog would stand behind other windows.
  electron.app.focus({ steal: true });
  const { response } = await electron.dialog.showMessageBox({
    type: 'warning',
    ...dialog,
    cancelId: dialog.buttons.length - 1,
  });
  if (response === 0 && dashboardAddress !== undefined) await electron.shell.openExternal(dashboardAddress);
}

/**
 * macOS slows an app down that has no window on the screen ("App Nap"), also one that serves others: its timers would come seconds late.
 * macOS reads this setting when the app starts, so that the first run of all is not covered. The computer may still go to sleep.
 */
function stayAwake({ electron: { app, systemPreferences }, platform }: ShellOptions): void {
  if (platform === 'darwin' && app.isPackaged) systemPreferences.setUserDefault('NSAppSleepDisabled', 'boolean', true);
}

/** The menu of the windows: without it there is no copy and paste by keyboard. Quitting is left to the menu of the icon. */
function setMenu({ Menu }: Pick<Surface, 'Menu'>): void {
  const template = [
    { label: 'Handrail', submenu: [{ role: 'about' as const }, { role: 'hide' as const }] },
    { role: 'editMenu' as const },
    { label: 'Window', submenu: [{ role: 'minimize' as const }, { role: 'close' as const }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

type SpawnAgent = ReturnType<NonNullable<DaemonOptions['spawnAgent']>>;
type AgentProcessEvents = Parameters<SpawnAgent>[0];
type AgentProcess = ReturnType<SpawnAgent>;

type Options = AgentStart & { utilityProcess: Surface['utilityProcess']; entry: string };

/**
 * Starts agents as utility processes of the app. They are not disclaimed, so the permissions of the app are theirs, too. The token
 * goes over the channel: the arguments and the environment of a process can be read by others.
 */
function createUtilityAgent({ utilityProcess, entry, environment, started }: Options): SpawnAgent {
  return (events) => {
    try {
      const child = utilityProcess.fork(entry, [], {
        env: { ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
        serviceName: 'Handrail agent',
      });
      report(child, events, started);
      return { send: (message) => child.postMessage(message), kill: (signal) => endProcess(child, signal) };
    } catch (error) {
      return neverStarted(events, error);
    }
  };
}

function report(child: ShellChild, events: AgentProcessEvents, started: (pid: number) => void): void {
  child.on('message', events.message);
  child.on('error', (type, location) => events.line(`${type} at ${location}`));
  child.on('exit', (exitCode) => events.ended({ exitCode, reason: `exit code ${exitCode}` }));
  child.on('spawn', () => {
    if (child.pid !== undefined) started(child.pid);
  });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', events.line);
}

/** The supervisor is told after this call has returned, as of any other end. */
function neverStarted(events: AgentProcessEvents, error: unknown): AgentProcess {
  setImmediate(() => events.ended({ exitCode: null, reason: error instanceof Error ? error.message : String(error) }));
  return { send: () => undefined, kill: () => undefined };
}

/** The switches of System Settings, as macOS reports them. It does not ask the person. */
export function readSwitches({
  systemPreferences,
}: {
  systemPreferences: Pick<Surface['systemPreferences'], 'getMediaAccessStatus' | 'isTrustedAccessibilityClient'>;
}): Record<PermissionToGive, boolean> {
  return {
    screenRecording: systemPreferences.getMediaAccessStatus('screen') === 'granted',
    accessibility: systemPreferences.isTrustedAccessibilityClient(false),
  };
}

/**
 * Tells the daemon when nobody can sit at this screen: prompts then expire, and nothing is sent until the person is back. On
 * macOS another user may take the screen over without locking it. The screen may be away already when Handrail starts: `atStart` says
 * so where the system tells it late.
 */
export function watchPower(
  power: PowerEvents,
  daemon: Pick<Daemon, 'screen'>,
  atStart?: MacPrograms['screenNow'],
): void {
  const screen = createScreenWatch((change) => daemon.screen(change));
  power.on('lock-screen', () => screen.heard({ locked: true }));
  power.on('unlock-screen', () => screen.heard({ locked: false }));
  power.on('user-did-resign-active', () => screen.heard({ otherUser: true }));
  power.on('user-did-become-active', () => screen.heard({ otherUser: false }));
  power.on('suspend', () => daemon.screen('suspended'));
  power.on('resume', () => daemon.screen('resumed'));
  if (power.getSystemIdleState(IDLE_THRESHOLD_SECONDS) === 'locked') screen.atStart({ locked: true });
  void atStart?.().then(screen.atStart);
}

/**
 * Encloses every page: it opens no window, attaches no other page and goes only to addresses of our own. `base` is the daemon's address; before that is known no page may go anywhere.
 */
function buildWalls({ app }: Pick<Surface, 'app'>, base: () => string | undefined): void {
  app.on('web-contents-created', (_event, contents) => enclose(contents, base));
}

/** Refuses everything that a page of our session could ask the person or the system for, but writing to the clipboard. To be called when electron is ready. */
function denyPermissions({ session }: Pick<Surface, 'session'>, base: () => string | undefined): void {
  const ours = session.fromPartition(PARTITION);
  ours.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(mayHave({ permission, address: requestingUrl, isTop: isMainFrame }, base())),
  );
  ours.setPermissionCheckHandler((_contents, permission, _origin, { requestingUrl, isMainFrame }) =>
    mayHave({ permission, address: requestingUrl, isTop: isMainFrame }, base()),
  );
  ours.setDevicePermissionHandler(() => false);
  ours.on('will-download', (event) => event.preventDefault());
}

function enclose(contents: ShellContents, base: () => string | undefined): void {
  const stay = (details: { readonly url: string; preventDefault(): void }) => {
    if (!mayGoTo(details.url, base())) details.preventDefault();
  };
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
