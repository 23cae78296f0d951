import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, MessageBoxOptions, NotificationConstructorOptions } from 'electron';
import { channelOf, type ShellCallName } from '../../../src/contract/shell-calls.ts';
import type {
  PermissionFrame,
  ShellCallEvent,
  ShellIpc,
  ShellNotice,
  ShellSession,
  ShellTray,
  Surface,
} from '../../../src/electron/surface.ts';
import { createFakeEvent } from '../fake-electron.ts';
import { createFakeApp, type FakeAppOptions } from './app.ts';
import { listensOn } from './listens-on.ts';
import { createFakeUtilityProcess } from './utility-process.ts';
import { createFakeWindows, type FakeBrowserWindow } from './windows.ts';

export type FakeOptions = FakeAppOptions & {
  hasTouchId?: boolean;
  /** What macOS says of the switches. */
  switchedOn?: { screenRecording: boolean; accessibility: boolean };
  isShortcutTaken?: boolean;
  /** What the system says of the screen when the app starts. */
  idleState?: 'active' | 'idle' | 'locked' | 'unknown';
};

export type FakeElectron = ReturnType<typeof createFakeElectron>;

/** All that the shell uses of electron, in memory, with the handles that the system and the person have on it. */
export function createFakeElectron(options: FakeOptions = {}) {
  const app = createFakeApp(options);
  const windows: FakeBrowserWindow[] = [];
  const utility = createFakeUtilityProcess();
  const ipc = createFakeIpc();
  const power = createFakePowerMonitor(options.idleState);
  const tray = createFakeTray();
  const notices = createFakeNotices();
  const touch = createFakeTouchId(options.hasTouchId ?? false);
  const shortcuts = createFakeShortcuts(options.isShortcutTaken ?? false);
  const walls = createFakeSession();
  const dialogs = createFakeDialogs();
  const opened: string[] = [];
  const switchedOn = { ...(options.switchedOn ?? { screenRecording: true, accessibility: true }) };
  const prompted: string[] = [];
  const userDefaults = new Map<string, unknown>();
  let applicationMenu: object | null = null;
  const created = (window: FakeBrowserWindow) => {
    windows.push(window);
    app.contentsCreated(window.webContents);
  };
  const surface = {
    app: app.app,
    BrowserWindow: createFakeWindows({ created }),
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => ({ template }),
      setApplicationMenu(menu: object | null): void {
        applicationMenu = menu;
      },
    },
    Notification: notices.Notification,
    Tray: tray.Tray,
    dialog: dialogs.dialog,
    globalShortcut: shortcuts.globalShortcut,
    ipcMain: ipc.ipcMain,
    powerMonitor: power.powerMonitor,
    screen: {
      getCursorScreenPoint: () => ({ x: 1_500, y: 400 }),
      getDisplayNearestPoint: () => ({ workArea: { x: 1_440, y: 25, width: 1_440, height: 875 } }),
    },
    session: { fromPartition: walls.fromPartition },
    shell: { openExternal: async (url: string) => void opened.push(url) },
    systemPreferences: {
      ...touch.systemPreferences,
      getMediaAccessStatus: (media) => (media === 'screen' && switchedOn.screenRecording ? 'granted' : 'denied'),
      isTrustedAccessibilityClient(prompt: boolean): boolean {
        if (prompt) prompted.push('accessibility');
        return switchedOn.accessibility;
      },
      setUserDefault: (name: string, _type: string, value: unknown) => void userDefaults.set(name, value),
    },
    utilityProcess: utility.utilityProcess,
  } satisfies Surface;
  return {
    surface,
    app,
    windows,
    /** The latest window that is still there and is, or is not, a panel. */
    panel: () => windows.findLast((window) => !window.isDestroyed() && window.options.alwaysOnTop === true),
    dashboard: () => windows.findLast((window) => !window.isDestroyed() && window.options.alwaysOnTop !== true),
    utility,
    ipc,
    power,
    tray,
    notices,
    touch,
    shortcuts,
    walls,
    dialogs,
    /** What was opened in other apps. */
    opened,
    switchedOn,
    /** The permissions that macOS has asked the person for. */
    prompted,
    /** The settings of the app that macOS keeps. */
    userDefaults,
    applicationMenu: () => applicationMenu,
  };
}

/** The channels from pages. `invoke` is a call of a page; by default of the page of the window itself. */
function createFakeIpc() {
  const handlers = new Map<string, Parameters<ShellIpc['handle']>[1]>();
  const ipcMain = { handle: (channel, listener) => void handlers.set(channel, listener) } satisfies ShellIpc;
  const invoke = async (name: ShellCallName, request: unknown, event: ShellCallEvent): Promise<unknown> => {
    const handler = handlers.get(channelOf(name));
    if (handler === undefined) throw new Error(`No handler registered for '${channelOf(name)}'`);
    return handler(event, request);
  };
  return {
    ipcMain,
    channels: () => [...handlers.keys()],
    invoke,
    fromPage: (window: FakeBrowserWindow, name: ShellCallName, request: unknown = {}) =>
      invoke(name, request, { sender: { id: window.webContents.id }, senderFrame: { url: window.url, parent: null } }),
  };
}

function createFakePowerMonitor(idleState: FakeOptions['idleState'] = 'active') {
  const emitter = new EventEmitter();
  const powerMonitor = {
    on: listensOn(emitter),
    getSystemIdleState: () => idleState,
  } satisfies Surface['powerMonitor'];
  return {
    powerMonitor,
    fire: (event: string) => emitter.emit(event),
    /** The system shuts down; answers whether the app holds that up. */
    shutdown(): boolean {
      const event = createFakeEvent({});
      emitter.emit('shutdown', event);
      return event.defaultPrevented;
    },
  };
}

function createFakeTray() {
  const shown = { image: '', title: '', tip: '', isThere: false, menus: 0 };
  let template: MenuItemConstructorOptions[] = [];
  class Tray implements ShellTray {
    constructor(image: string) {
      Object.assign(shown, { image, isThere: true });
    }
    setImage = (image: string): void => void Object.assign(shown, { image });
    setTitle = (title: string): void => void Object.assign(shown, { title });
    setToolTip = (tip: string): void => void Object.assign(shown, { tip });
    setContextMenu(menu: object | null): void {
      shown.menus += 1;
      template = menu !== null && 'template' in menu && Array.isArray(menu.template) ? menu.template : [];
    }
    destroy = (): void => void Object.assign(shown, { isThere: false });
  }
  return {
    Tray,
    shown,
    labels: () => template.flatMap(({ label }) => label ?? []),
    items: () => template,
    /** The person chooses the menu item whose label begins so. */
    choose(label: string): void {
      const item = template.find((one) => one.label?.startsWith(label) && one.enabled !== false);
      if (item?.click === undefined) throw new Error(`The menu has no item ${JSON.stringify(label)}.`);
      Reflect.apply(item.click, undefined, []);
    },
  };
}

type FakeNotice = ShellNotice & {
  options: NotificationConstructorOptions;
  isShown: boolean;
  emit(event: string, ...args: unknown[]): boolean;
};

function createFakeNotices() {
  const all: FakeNotice[] = [];
  let failure: string | undefined;
  class Notification implements FakeNotice {
    static isSupported = () => true;
    readonly options: NotificationConstructorOptions;
    readonly #emitter = new EventEmitter();
    isShown = false;
    constructor(options: NotificationConstructorOptions) {
      this.options = options;
      all.push(this);
    }
    on = listensOn(this.#emitter);
    emit = (event: string, ...args: unknown[]) => this.#emitter.emit(event, ...args);
    show(): void {
      if (failure === undefined) this.isShown = true;
      else this.#emitter.emit('failed', createFakeEvent({}), failure);
    }
    close(): void {
      this.isShown = false;
    }
  }
  return {
    Notification,
    all,
    /** From now on the system shows none, as for an app without a signature. */
    fail(reason: string): void {
      failure = reason;
    },
  };
}

function createFakeTouchId(hasTouchId: boolean) {
  const reasons: string[] = [];
  const state = { hasTouchId, answer: async (): Promise<void> => undefined };
  return {
    systemPreferences: {
      canPromptTouchID: () => state.hasTouchId,
      promptTouchID(reason: string): Promise<void> {
        reasons.push(reason);
        return state.answer();
      },
    },
    state,
    reasons,
    /** The person presses Cancel. */
    cancel(): void {
      state.answer = () => Promise.reject(new Error('Canceled by user.'));
    },
  };
}

function createFakeShortcuts(isTaken: boolean) {
  const registered = new Map<string, () => void>();
  return {
    registered,
    globalShortcut: {
      register(accelerator: string, callback: () => void): boolean {
        if (!isTaken) registered.set(accelerator, callback);
        return !isTaken;
      },
      unregisterAll: () => registered.clear(),
    },
    press: (accelerator: string) => registered.get(accelerator)?.(),
  };
}

function createFakeSession() {
  let decide: Parameters<ShellSession['setPermissionRequestHandler']>[0] | undefined;
  let check: Parameters<ShellSession['setPermissionCheckHandler']>[0] | undefined;
  let device: (() => boolean) | undefined;
  const emitter = new EventEmitter();
  const partitions: string[] = [];
  const session = {
    setPermissionRequestHandler(handler: NonNullable<typeof decide>): void {
      decide = handler;
    },
    setPermissionCheckHandler(handler: NonNullable<typeof check>): void {
      check = handler;
    },
    setDevicePermissionHandler(handler: () => boolean): void {
      device = handler;
    },
    on: listensOn(emitter),
  } satisfies ShellSession;
  return {
    partitions,
    fromPartition(partition: string) {
      partitions.push(partition);
      return session;
    },
    /** What the handlers answer to a page that asks for a permission. Without handlers electron grants everything. */
    grants(permission: string, frame: PermissionFrame) {
      let isGranted = decide === undefined;
      const answered = (answer: boolean) => {
        isGranted = answer;
      };
      decide?.(null, permission, answered, frame);
      const isChecked = check?.(null, permission, '', frame) !== false;
      return { isGranted, isChecked, hasDevice: device?.() !== false };
    },
    downloads(): boolean {
      const event = createFakeEvent({});
      emitter.emit('will-download', event);
      return !event.defaultPrevented;
    },
  };
}

function createFakeDialogs() {
  const shown: MessageBoxOptions[] = [];
  const state = { response: 0 };
  return {
    shown,
    state,
    dialog: {
      async showMessageBox(...args: unknown[]) {
        shown.push(args.at(-1) as MessageBoxOptions);
        return { response: state.response, checkboxChecked: false };
      },
      /** It may be shown before electron is ready, so that it comes without the app's other parts. */
      showErrorBox(title: string, content: string): void {
        process.stderr.write(`${title}: ${content}\n`);
      },
    },
  };
}
