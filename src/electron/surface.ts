import type {
  App,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Dialog,
  Display,
  ForkOptions,
  GlobalShortcut,
  MenuItemConstructorOptions,
  Notification,
  NotificationConstructorOptions,
  Screen,
  Shell,
  SystemPreferences,
  Tray,
  UtilityProcess,
  WebContents,
} from 'electron';
import type { startDaemon } from '../daemon/daemon.ts';
import type { Settings } from '../own-daemon/settings.ts';
import type { MacPrograms } from '../shell/mac-programs.ts';
import type { TrayStatusName } from '../shell/menu.ts';
import type { AppEvents, NoticeEvents } from './doors.ts';

/**
 * The part of electron that the shell uses. The entry hands over the real modules, tests hand over fakes. Events are written
 * out, because electron's own `on` answers the whole object; `test/shell/surface.test.ts` holds the real modules against this.
 */
export type Surface = {
  app: ShellApp;
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => ShellWindow;
  Menu: {
    buildFromTemplate(template: MenuItemConstructorOptions[]): object;
    setApplicationMenu(menu: object | null): void;
  };
  Notification: NoticeMaker;
  /** Images are given by their files: on macOS a name that ends in `Template` makes a template image. */
  Tray: new (
    image: string,
  ) => ShellTray;
  dialog: Pick<Dialog, 'showMessageBox'>;
  globalShortcut: Pick<GlobalShortcut, 'register' | 'unregisterAll'>;
  ipcMain: ShellIpc;
  powerMonitor: PowerEvents & ShutdownEvents;
  screen: Pick<Screen, 'getCursorScreenPoint'> & {
    getDisplayNearestPoint(point: { x: number; y: number }): Pick<Display, 'workArea'>;
  };
  session: { fromPartition(partition: string): ShellSession };
  shell: Pick<Shell, 'openExternal'>;
  systemPreferences: Pick<
    SystemPreferences,
    'canPromptTouchID' | 'promptTouchID' | 'getMediaAccessStatus' | 'isTrustedAccessibilityClient' | 'setUserDefault'
  >;
  utilityProcess: { fork(file: string, args: string[], options: ForkOptions): ShellChild };
};

export type PowerEvents = {
  on(
    event: 'lock-screen' | 'unlock-screen' | 'suspend' | 'resume' | 'user-did-resign-active' | 'user-did-become-active',
    listener: () => void,
  ): unknown;
  getSystemIdleState(idleThresholdSeconds: number): 'active' | 'idle' | 'locked' | 'unknown';
};

/** `preventDefault` delays the shutdown until the app has ended. Electron's types leave the event out. */
export type ShutdownEvents = {
  on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
};

type Preventable = { preventDefault(): void };

export type ShellApp = AppEvents &
  Pick<
    App,
    | 'setPath'
    | 'getPath'
    | 'getVersion'
    | 'requestSingleInstanceLock'
    | 'setActivationPolicy'
    | 'whenReady'
    | 'quit'
    | 'exit'
    | 'relaunch'
    | 'enableSandbox'
    | 'focus'
    | 'isPackaged'
    | 'getLoginItemSettings'
    | 'setLoginItemSettings'
  > & {
    on(event: 'window-all-closed', listener: () => void): unknown;
    on(event: 'before-quit', listener: (event: Preventable) => void): unknown;
    on(event: 'web-contents-created', listener: (event: unknown, contents: ShellContents) => void): unknown;
  };

type Navigation = Preventable & { readonly url: string };

export type ShellContents = Pick<WebContents, 'id'> & {
  setWindowOpenHandler(handler: () => { action: 'deny' }): void;
  on(
    event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate',
    listener: (details: Navigation) => void,
  ): unknown;
  on(event: 'will-attach-webview', listener: (event: Preventable) => void): unknown;
  on(event: 'render-process-gone', listener: (event: unknown, details: { reason: string }) => void): unknown;
};

export type ShellWindow = Pick<
  BrowserWindow,
  | 'loadURL'
  | 'show'
  | 'showInactive'
  | 'hide'
  | 'focus'
  | 'destroy'
  | 'isDestroyed'
  | 'isVisible'
  | 'isMinimized'
  | 'restore'
  | 'setBounds'
  | 'setAlwaysOnTop'
  | 'setVisibleOnAllWorkspaces'
> & {
  readonly webContents: ShellContents;
  on(event: 'close', listener: (event: Preventable) => void): unknown;
  on(event: 'closed', listener: () => void): unknown;
};

export type ShellTray = Pick<Tray, 'setTitle' | 'setToolTip' | 'destroy'> & {
  setImage(image: string): void;
  setContextMenu(menu: object | null): void;
};

type NoticeMaker = { isSupported(): boolean; new (options: NotificationConstructorOptions): ShellNotice };

export type ShellNotice = NoticeEvents &
  Pick<Notification, 'show' | 'close'> & {
    on(event: 'failed', listener: (event: unknown, error: string) => void): unknown;
  };

/** The frame that asks for a permission. A check that is made for no document has no address. */
export type PermissionFrame = { readonly requestingUrl?: string; readonly isMainFrame: boolean };

export type ShellSession = {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (isGranted: boolean) => void,
      details: PermissionFrame,
    ) => void,
  ): void;
  setPermissionCheckHandler(
    handler: (contents: unknown, permission: string, origin: string, details: PermissionFrame) => boolean,
  ): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  on(event: 'will-download', listener: (event: Preventable) => void): unknown;
};

/** Where a call of a page came from, as electron tells it. */
export type ShellCallEvent = {
  readonly sender: { readonly id: number };
  readonly senderFrame: { readonly url: string; readonly parent: object | null } | null;
};

export type ShellIpc = {
  handle(channel: string, listener: (event: ShellCallEvent, request: unknown) => Promise<unknown>): void;
};

export type ShellChild = Pick<UtilityProcess, 'kill' | 'pid' | 'stderr'> & {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'spawn', listener: () => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  on(event: 'error', listener: (type: 'FatalError', location: string) => void): unknown;
};

/** The files that the shell hands to electron. */
type DesktopPaths = { preload: string; agent: string; trayImage(state: TrayStatusName): string };

export type ShellOptions = {
  electron: Surface;
  /** Asked on macOS only. */
  mac: MacPrograms;
  paths: DesktopPaths;
  settings: Settings;
  log: Parameters<typeof startDaemon>[0]['log'];
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The arguments of the app. */
  words: readonly string[];
};
