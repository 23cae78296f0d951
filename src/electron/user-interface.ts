import type { Daemon } from '../daemon/daemon.ts';
import { createAged } from '../shell/aged.ts';
import { bringForward } from '../shell/bring-forward.ts';
import { isWantedAfterFlip, type LoginItem, loginItemOf } from '../shell/login-item.ts';
import type { MenuCommand } from '../shell/menu.ts';
import { orLogged } from '../shell/or-logged.ts';
import type { ShellCalls } from '../shell/page-calls.ts';
import { createPageCrashes } from '../shell/page-crashes.ts';
import type { PermissionLooks } from '../shell/permission-looks.ts';
import { createFirstWalk, paneOf } from '../shell/permission-walk.ts';
import { createPromptCalls } from '../shell/prompt-calls.ts';
import { stopShortcut } from '../shell/stop-shortcut.ts';
import type { TouchId } from '../shell/touch-id.ts';
import { createWindowSessions } from '../shell/window-sessions.ts';
import { answerCalls } from './calls.ts';
import type { Doors } from './doors.ts';
import { createNotices } from './notices.ts';
import type { ShellOptions } from './options.ts';
import type { Surface } from './surface.ts';
import { createTray } from './tray.ts';
import { createWindows, type Windows } from './windows.ts';

/** The pane of System Settings in which the person approves what opens at login. */
const LOGIN_PANE = 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension';

type Options = ShellOptions & { daemon: Daemon; doors: Doors; touchId: TouchId; looks: PermissionLooks };

/** An answer of macOS about permissions or the login item counts for so long. */
const FRESH_MS = 5_000;

/** Everything the person sees of a daemon that runs: icon, menu, windows, notifications, and the stop. */
export function openUserInterface(options: Options): { close(): void; removeIcon(): void } {
  const { electron, daemon, doors, log, platform } = options;
  const sessions = createWindowSessions(daemon.person);
  const windows = createWindows({
    ...options,
    address: daemon.dashboardAddress,
    preload: options.paths.preload,
    closed: sessions.close,
    panelCrashed: (crash) => calls.panelCrashed(crash),
  });
  const login = createLoginItem(electron, platform);
  const notices = createNotices({ electron, watch: doors.watch, log });
  // A stop that the storage does not take holds all the same, and is stored as soon as it can be.
  const stop = () => orLogged(() => daemon.person.pause(), 'the stop holds, but could not be stored yet', log);
  const shortcut = registerStop(electron, { platform, stop });
  const loginItem = createAged(login.read, { forMs: FRESH_MS });
  const permissions = createAged(options.looks.steps, { forMs: FRESH_MS });
  const crashes = createPageCrashes();
  const review = () => (crashes.isGivenUp() ? windows.dashboard('requests') : windows.panel());
  const commands = commandsOf({ ...options, windows, review, login, stop, changed });
  const tray = createTray({ electron, image: options.paths.trayImage, command: (name) => commands[name]() });
  const calls = createPromptCalls({
    crashes,
    panel: { call: windows.callPanel, hide: windows.hidePanel },
    notices,
    showDashboard: () => windows.dashboard('requests').showInactive(),
  });
  const isFirstWalk = createFirstWalk();

  function update(): void {
    const { permissions: live, ...view } = daemon.person.view();
    const now = {
      ...view,
      permissions: permissions.get(live),
      login: loginItem.get(undefined),
      stopShortcut: shortcut,
    };
    tray.show(now);
    calls.update(now.prompts);
    if (isFirstWalk(now.permissions)) commands.permissions();
  }

  function changed(): void {
    loginItem.forget();
    tryToUpdate();
  }

  answerCalls({
    ipcMain: electron.ipcMain,
    calls: shellCalls({ ...options, open: sessions.open }),
    base: daemon.dashboardAddress,
    owns: windows.owns,
    refused: daemon.noteSelfApproval,
  });
  doors.open({ daemon, windowFor: (ask) => (ask === 'review' ? review() : windows.dashboard('requests')) });
  /** The storage may fail while the state is read. The next change tries again, and the daemon goes on meanwhile. */
  function tryToUpdate(): void {
    orLogged(update, 'the icon and the menu could not be brought up to date', log);
  }
  const stopWatching = daemon.person.onChange(tryToUpdate);
  tryToUpdate();
  if (!wasOpenedAtLogin(options)) windows.dashboard('requests').show();
  return {
    close() {
      stopWatching();
      electron.globalShortcut.unregisterAll();
      notices.close();
      tray.showQuitting();
      windows.closeAll();
    },
    removeIcon: tray.destroy,
  };
}

type Calling = Options & { open(contentsId: number, publicKey?: string): ReturnType<Daemon['person']['openSession']> };

function shellCalls({ electron, mac, platform, looks, touchId, open }: Calling): ShellCalls {
  return {
    signIn: async ({ publicKey }, contentsId) => open(contentsId, publicKey),
    touchId: ({ confirmationId }) => touchId.prove(confirmationId),
    permissions: async () => ({ steps: await looks.lookAgain() }),
    async openPane({ permission }) {
      // To ask puts Handrail into the list of the pane. Only this click of the person may make macOS ask.
      if (permission === 'accessibility') electron.systemPreferences.isTrustedAccessibilityClient(true);
      if (permission === 'screenRecording') await mac.requestCapture();
      await electron.shell.openExternal(paneOf(permission));
      return {};
    },
    async relaunch() {
      if (platform !== 'darwin' || !mac.relaunch()) electron.app.relaunch();
      electron.app.quit();
      return {};
    },
  };
}

type Commanded = Options & {
  windows: Windows;
  /** The window in which the person answers. */
  review(): ReturnType<Windows['panel']>;
  login: ReturnType<typeof createLoginItem>;
  stop(): void;
  changed(): void;
};

function commandsOf({
  electron,
  daemon,
  windows,
  review,
  login,
  stop,
  changed,
  log,
}: Commanded): Record<MenuCommand, () => void> {
  return {
    review: () => bringForward(review()),
    dashboard: () => bringForward(windows.dashboard('requests')),
    permissions: () => bringForward(windows.dashboard('devices')),
    pause: stop,
    resume: () => void daemon.person.resume().catch((error: unknown) => log.error({ err: error }, 'resuming failed')),
    switchLogin() {
      login.flip();
      changed();
    },
    approveLogin: () =>
      void electron.shell
        .openExternal(LOGIN_PANE)
        .catch((error: unknown) => log.error({ err: error }, 'System Settings could not be opened')),
    quit: () => electron.app.quit(),
  };
}

/** Answers with the shortcut if it is ours now; another app may have taken it. */
function registerStop(
  { globalShortcut }: Pick<Surface, 'globalShortcut'>,
  { platform, stop }: Pick<Options, 'platform'> & { stop(): void },
): string | undefined {
  const shortcut = stopShortcut(platform);
  return globalShortcut.register(shortcut, stop) ? shortcut : undefined;
}

function wasOpenedAtLogin({ electron, platform }: Pick<Options, 'electron' | 'platform'>): boolean {
  return platform === 'darwin' && electron.app.getLoginItemSettings({ type: 'mainAppService' }).wasOpenedAtLogin;
}

type LoginItemSwitch = { read(): LoginItem; flip(): void };

/** Whether Handrail opens at login, and the switch for it. */
function createLoginItem({ app }: Pick<Surface, 'app'>, platform: NodeJS.Platform): LoginItemSwitch {
  const type = 'mainAppService';
  const read = (): LoginItem =>
    platform === 'darwin' ? loginItemOf(app.getLoginItemSettings({ type })) : 'unavailable';
  return { read, flip: () => app.setLoginItemSettings({ openAtLogin: isWantedAfterFlip(read()), type }) };
}
