import type { MenuItemConstructorOptions } from 'electron';
import { channelOf, SHELL_CALL_NAMES, type ShellCallName } from '../contract/shell-calls.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { createAged } from '../shell/aged.ts';
import { NOTICE_ACTIONS } from '../shell/asks.ts';
import { orLogged } from '../shell/log.ts';
import {
  createChanges,
  isWantedAfterFlip,
  type LoginItem,
  loginItemOf,
  type MenuCommand,
  type MenuLine,
  menuOf,
  type ShellFacts,
  stopShortcut,
  type TrayStatusName,
  trayStatusOf,
} from '../shell/menu.ts';
import { answerTo, createPageCrashes, createWindowSessions, type ShellCalls } from '../shell/own-page.ts';
import { createFirstWalk, type PermissionLooks, paneOf } from '../shell/permission-walk.ts';
import { bringForward, createPromptCalls } from '../shell/prompt-calls.ts';
import type { TouchId } from '../shell/touch-id.ts';
import type { Doors, NoticeEvents } from './doors.ts';
import type { ShellIpc, ShellNotice, ShellOptions, Surface } from './surface.ts';
import { createWindows, type Windows } from './windows.ts';

/** The pane of System Settings in which the person approves what opens at login. */
const LOGIN_PANE = 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension';

type Options = ShellOptions & { daemon: Daemon; doors: Doors; touchId: TouchId; looks: PermissionLooks };

/** An answer of macOS about permissions or the login item counts for so long. */
const FRESH_MS = 5_000;

type TrayOptions = {
  electron: Pick<Surface, 'Tray' | 'Menu'>;
  /** The file of the template image for each state. */
  image(state: TrayStatusName): string;
  command(command: MenuCommand): void;
};

/** The icon in the menu bar, with its menu. */
function createTray({ electron, image, command }: TrayOptions) {
  const tray = new electron.Tray(image('idle'));
  const hasChanged = createChanges();
  return {
    show(facts: ShellFacts): void {
      const trayStatus = trayStatusOf(facts);
      const lines = menuOf(facts);
      // A menu that is open would close when it is set anew, so only a change sets it.
      if (!hasChanged([trayStatus, lines])) return;
      tray.setImage(image(trayStatus.name));
      tray.setTitle(trayStatus.count === 0 ? '' : String(trayStatus.count));
      tray.setToolTip(`Handrail: ${trayStatus.words}`);
      tray.setContextMenu(electron.Menu.buildFromTemplate(lines.map((line) => itemOf(line, command))));
    },
    /** Replaces the menu while running actions end. */
    showQuitting(): void {
      tray.setTitle('');
      tray.setToolTip(QUITTING);
      tray.setContextMenu(electron.Menu.buildFromTemplate([{ label: QUITTING, enabled: false }]));
    },
    destroy: (): void => tray.destroy(),
  };
}

const QUITTING = 'Handrail is quitting: it waits for running actions to end';

function itemOf(line: MenuLine, command: (command: MenuCommand) => void): MenuItemConstructorOptions {
  switch (line.kind) {
    case 'line':
      return { type: 'separator' };
    case 'text':
      return { label: line.text, enabled: false };
    case 'command': {
      const checked = line.isChecked === undefined ? {} : ({ type: 'checkbox', checked: line.isChecked } as const);
      const shortcut = line.shortcut === undefined ? {} : { accelerator: line.shortcut };
      return { label: line.text, ...checked, ...shortcut, click: () => command(line.command) };
    }
  }
}

type NoticesOptions = {
  electron: Pick<Surface, 'Notification'>;
  /** Listens for clicks on a notification. */
  watch(notice: NoticeEvents): void;
  log: { warn(fields: object, message: string): void };
};

/** Tells the person that something waits. A notification offers to review, never to approve. */
export function createNotices({ electron, watch, log }: NoticesOptions) {
  let shown: ShellNotice | undefined;
  const close = () => {
    shown?.close();
    shown = undefined;
  };
  return {
    /** `failed` is called when the system shows no notification: at once, or later. */
    call(waiting: number, failed: () => void): void {
      close();
      if (!electron.Notification.isSupported()) {
        failed();
        return;
      }
      const notice = new electron.Notification({
        ...noticeOf(waiting),
        actions: NOTICE_ACTIONS.map(({ text }) => ({ type: 'button', text })),
      });
      watch(notice);
      notice.on('failed', (_event, error) => {
        // The panel and the menu show the prompt all the same. Without a signature macOS shows no notifications.
        log.warn({ reason: error }, 'macOS did not show a notification');
        if (shown === notice) shown = undefined; // guard E2-48
        failed();
      });
      // Kept: a notification that is collected as garbage hears no click.
      shown = notice;
      notice.show();
    },
    close,
  };
}

/** The words of a notification. It stands on the locked screen, too, so that it names neither program nor action. */
function noticeOf(waiting: number): { title: string; body: string } {
  return {
    title: 'Handrail needs your answer',
    body: waiting === 1 ? 'A request waits for you.' : `${waiting} requests wait for you.`,
  };
}

type AnswerCallsOptions = {
  ipcMain: ShellIpc;
  calls: ShellCalls;
  base: string;
  owns(contentsId: number): boolean;
  /** Another frame than our page has called. */
  refused(name: ShellCallName): void;
};

/** Gives each call of our own page a channel. */
function answerCalls({ ipcMain, owns, ...rules }: AnswerCallsOptions): void {
  for (const name of SHELL_CALL_NAMES) {
    const answer = answerTo(name, rules);
    ipcMain.handle(channelOf(name), async ({ sender, senderFrame }, value) => {
      const frame = { address: senderFrame?.url, isTop: senderFrame?.parent === null };
      return answer({ ...frame, isOurWindow: owns(sender.id), contentsId: sender.id }, value);
    });
  }
}

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
