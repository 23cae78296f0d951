import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, startDaemon } from '../daemon/daemon.ts';
import { findRunningDaemon, startFailureOf } from '../own-daemon/running-daemon.ts';
import { secondStartData } from '../shell/asks.ts';
import { failedStart } from '../shell/failed-start.ts';
import { createGrantMemory } from '../shell/grant-memory.ts';
import { inOrder } from '../shell/or-logged.ts';
import { createPermissionLooks, type PermissionLooks } from '../shell/permission-looks.ts';
import { createTouchId, type TouchId } from '../shell/touch-id.ts';
import { createUtilityAgent } from './agent.ts';
import { createDoors } from './doors.ts';
import type { ShellOptions } from './options.ts';
import { readSwitches } from './permission-switches.ts';
import { watchPower } from './power.ts';
import { endInOrder } from './quit.ts';
import type { Surface } from './surface.ts';
import { openUserInterface } from './user-interface.ts';
import { buildWalls, denyPermissions } from './walls.ts';

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
