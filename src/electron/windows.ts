import type { BrowserWindowConstructorOptions } from 'electron';
import { PANEL_SIZE, panelPlace } from '../shell/prompt-calls.ts';
import type { ShellWindow, Surface } from './surface.ts';

type Options = {
  electron: Pick<Surface, 'BrowserWindow' | 'screen'>;
  /** The daemon's address. */
  address: string;
  preload: string;
  platform: NodeJS.Platform;
  /** A window with these contents has closed. Its session ends with it. */
  closed(contentsId: number): void;
  /** The process of the panel's page has ended, and its window is destroyed. */
  panelCrashed(crash: { wasShown: boolean }): void;
  log: { warn(fields: object, message: string): void };
};

export type Windows = ReturnType<typeof createWindows>;

/** Kept in memory only: nothing of the page is written to the disk. */
export const PARTITION = 'handrail';

/** The window with the dashboard, and the panel with the prompt. Each is made when it is first wanted. */
export function createWindows(options: Options) {
  const { electron, address } = options;
  const open = new Map<number, ShellWindow>();
  let dashboard: ShellWindow | undefined;
  let panel: ShellWindow | undefined;
  let isClosing = false;

  type Made = { forget(): void; crashed?(crash: { wasShown: boolean }): void };

  function make(own: BrowserWindowConstructorOptions, { forget, crashed }: Made): ShellWindow {
    const window = new electron.BrowserWindow({ ...own, webPreferences: webPreferences(options.preload) });
    const { id } = window.webContents;
    open.set(id, window);
    window.on('closed', () => {
      open.delete(id);
      forget();
      options.closed(id);
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      const wasShown = window.isVisible();
      options.log.warn({ reason, wasShown }, 'the page of a window has crashed');
      window.destroy();
      if (!isClosing) crashed?.({ wasShown });
    });
    return window;
  }

  /** Loading is rejected where another page is loaded before it has ended. */
  function show(window: ShellWindow, page: string): void {
    window
      .loadURL(`${address}#/${page}`)
      .catch((error: unknown) => options.log.warn({ err: error }, 'a page could not be loaded'));
  }

  function theDashboard(page: string): ShellWindow {
    if (dashboard === undefined) {
      const forget = () => {
        dashboard = undefined;
      };
      dashboard = make(DASHBOARD, { forget });
    }
    show(dashboard, page);
    return dashboard;
  }

  function thePanel(): ShellWindow {
    if (panel !== undefined) return panel;
    const forget = () => {
      panel = undefined;
    };
    const made = make(panelOptions(options.platform), { forget, crashed: options.panelCrashed });
    made.setAlwaysOnTop(true, 'floating');
    // The type of the process stays as it is: changing it would hide all windows for a moment.
    made.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    made.on('close', (event) => {
      if (isClosing) return;
      // Closing the panel answers nothing: the prompt goes on waiting in the menu.
      event.preventDefault();
      made.hide();
    });
    show(made, 'requests');
    panel = made;
    return made;
  }

  function place(window: ShellWindow): void {
    const { workArea } = electron.screen.getDisplayNearestPoint(electron.screen.getCursorScreenPoint());
    window.setBounds(panelPlace(workArea));
  }

  return {
    /** The dashboard at one of its pages, still to be shown. */
    dashboard: theDashboard,
    /** The panel, still to be shown. */
    panel(): ShellWindow {
      const window = thePanel();
      if (!window.isVisible()) place(window);
      return window;
    },
    /** Shows the prompt above everything, full-screen apps too, and leaves the keys where they are. */
    callPanel(): void {
      const window = thePanel();
      if (window.isVisible()) return;
      place(window);
      window.showInactive();
    },
    hidePanel: (): void => panel?.hide(),
    owns: (contentsId: number): boolean => open.has(contentsId),
    closeAll(): void {
      isClosing = true;
      for (const window of [...open.values()]) window.destroy();
    },
  };
}

const DASHBOARD: BrowserWindowConstructorOptions = {
  title: 'Handrail',
  width: 1_100,
  height: 760,
  minWidth: 420,
  minHeight: 480,
  show: false,
  autoHideMenuBar: true,
};

function panelOptions(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  return {
    ...PANEL_SIZE,
    ...(platform === 'darwin' && { type: 'panel' }),
    title: 'Handrail',
    show: false,
    // A click meant for the window below, a moment before the panel came, must press no button.
    acceptFirstMouse: false,
    alwaysOnTop: true,
    fullscreenable: false,
    minimizable: false,
    maximizable: false,
    skipTaskbar: true,
    hiddenInMissionControl: true,
    autoHideMenuBar: true,
  };
}

function webPreferences(preload: string): NonNullable<BrowserWindowConstructorOptions['webPreferences']> {
  return {
    preload,
    partition: PARTITION,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };
}
