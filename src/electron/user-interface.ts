import type { Daemon } from '../daemon.ts';
import { createAged } from '../shell/aged.ts';
import { createAttention } from '../shell/attention.ts';
import { createFirstWalk } from '../shell/first-walk.ts';
import type { MenuCommand } from '../shell/menu.ts';
import { paneOf } from '../shell/permission-walk.ts';
import { stopShortcut } from '../shell/stop-shortcut.ts';
import { answerCalls, type ShellCalls } from './calls.ts';
import type { Doors } from './doors.ts';
import { createLoginItem, LOGIN_PANE } from './login-item.ts';
import { createNotices } from './notices.ts';
import type { PermissionLooks } from './permission-looks.ts';
import type { ShellOptions } from './shell.ts';
import type { Surface } from './surface.ts';
import type { TouchId } from './touch-id.ts';
import { createTray } from './tray.ts';
import { createWindows, type Windows } from './windows.ts';

type Options = ShellOptions & { daemon: Daemon; doors: Doors; touchId: TouchId; looks: PermissionLooks };

/** How long the panel stays after the last prompt has ended: long enough to read the outcome. */
const PANEL_STAYS_MS = 1_500;

/** How long what macOS says of switches is believed. */
const FRESH_MS = 5_000;

/** Everything the person sees of a daemon that runs: icon, menu, windows, notifications, and the stop. */
export function openUserInterface(options: Options): { close(): void; removeIcon(): void } {
  const { electron, daemon, doors, log, platform } = options;
  const sessions = createWindowSessions(daemon);
  const windows = createWindows({
    ...options,
    address: daemon.dashboardAddress,
    preload: options.paths.preload,
    closed: sessions.close,
  });
  const login = createLoginItem(electron, platform);
  const notices = createNotices({ electron, watch: doors.watch, log });
  const stop = () => holdAnyway(() => daemon.person.pause(), log);
  const shortcut = registerStop(electron, { platform, stop });
  const loginItem = createAged(login.read, { forMs: FRESH_MS });
  const permissions = createAged(options.looks.steps, { forMs: FRESH_MS });
  const commands = commandsOf({ ...options, windows, login, stop, changed });
  const tray = createTray({ electron, image: options.paths.trayImage, command: (name) => commands[name]() });
  const call = createCalling({ windows, notices });
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
    call(now.prompts);
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
  doors.open({ daemon, windowFor: (ask) => (ask === 'review' ? windows.panel() : windows.dashboard('requests')) });
  /** The storage may fail while the state is read. The next change tries again, and the daemon goes on meanwhile. */
  function tryToUpdate(): void {
    try {
      update();
    } catch (error) {
      log.error({ err: error }, 'the icon and the menu could not be brought up to date');
    }
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

/** Brings a prompt forward when the daemon calls the person, and puts the panel away when nothing waits. */
function createCalling({ windows, notices }: { windows: Windows; notices: ReturnType<typeof createNotices> }) {
  const attention = createAttention();
  let hiding: NodeJS.Timeout | undefined;
  return (prompts: ReturnType<Daemon['person']['view']>['prompts']): void => {
    const change = attention(prompts);
    if (change === 'nothing') return;
    clearTimeout(hiding);
    if (change === 'call') {
      windows.callPanel();
      notices.call(prompts.length);
    } else {
      notices.close();
      hiding = setTimeout(windows.hidePanel, PANEL_STAYS_MS);
      hiding.unref();
    }
  };
}

/** The sessions of our windows. Each ends with its window. */
function createWindowSessions({ person }: Pick<Daemon, 'person'>) {
  const keys = new Map<number, string>();
  const close = (contentsId: number) => {
    const key = keys.get(contentsId);
    keys.delete(contentsId);
    if (key !== undefined) person.closeSession(key);
  };
  return {
    close,
    open(contentsId: number) {
      close(contentsId);
      const session = person.openSession();
      keys.set(contentsId, session.key);
      return session;
    },
  };
}

type Calling = Options & { open(contentsId: number): ReturnType<Daemon['person']['openSession']> };

function shellCalls({ electron, mac, looks, touchId, open }: Calling): ShellCalls {
  return {
    signIn: (_request, contentsId) => open(contentsId),
    touchId: ({ confirmationId }) => touchId.prove(confirmationId),
    permissions: async () => ({ steps: await looks.lookAgain() }),
    async openPane({ permission }) {
      // An attempt puts Handrail into the list of the pane. Only this click of the person may make macOS ask.
      if (permission === 'accessibility') electron.systemPreferences.isTrustedAccessibilityClient(true);
      else await mac.attemptCapture();
      await electron.shell.openExternal(paneOf(permission));
      return {};
    },
    relaunch() {
      electron.app.relaunch();
      electron.app.quit();
      return {};
    },
  };
}

type Commanded = Options & {
  windows: Windows;
  login: ReturnType<typeof createLoginItem>;
  stop(): void;
  changed(): void;
};

function commandsOf({
  electron,
  daemon,
  windows,
  login,
  stop,
  changed,
  log,
}: Commanded): Record<MenuCommand, () => void> {
  const bringForward = (window: ReturnType<Windows['panel']>) => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  return {
    review: () => bringForward(windows.panel()),
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

/** A stop that the storage does not take holds all the same, and is stored as soon as it can be. */
function holdAnyway(pause: () => void, log: Options['log']): void {
  try {
    pause();
  } catch (error) {
    log.error({ err: error }, 'the stop holds, but could not be stored yet');
  }
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
