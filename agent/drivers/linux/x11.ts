import type { Bounds } from '../../../src/contract/device.ts';
import { readManners, requestClose, type WindowManners } from './window-manners.ts';
import type { WindowPixels } from './window-reader.ts';
import type { XLayout } from './x-monitors.ts';
import { DisplayLostError, openXSession, type XSession } from './x-session.ts';

/** One top-level window. Its id is in the usual form for people and tools: `0x` and eight hexadecimal digits. */
export type XWindow = WindowManners & {
  id: string;
  xid: number;
  /** WM_CLASS: instance and class name; empty when the window has none. */
  instanceName: string;
  className: string;
  /** The desktop id a GTK application gave its window, if it did. */
  applicationId: string | null;
  pid: number | null;
  title: string;
  startupId: string | null;
  /** The visible window in root coordinates: with its frame and title bar, without the shadow. */
  bounds: Bounds;
  /** The app's own drawing surface, in root coordinates. */
  clientBounds: Bounds;
  focused: boolean;
  minimized: boolean;
  /** Mapped, not minimized, and on the workspace that is shown. */
  shown: boolean;
  /** A window a person works in, and no splash screen, panel, menu or notification. */
  isMain: boolean;
};

export type XDesktop = {
  /** In front first. */
  windows: XWindow[];
  hasWindowManager: boolean;
  /** Changes seen on the display when this was asked for. */
  revision: number;
};

export type XAnswer<Value> = { ok: true; value: Value } | { ok: false; reason: NoDisplay };

/** `wayland`: a Wayland session without an X server; `unreachable`: an X server is named but cannot be used. */
export type NoDisplay = { kind: 'none' | 'wayland' | 'unreachable'; message: string; fix: string };

export type X11 = {
  /** `connection` counts the connections made: another number means that the server was gone in between. */
  layout(): Promise<XAnswer<XLayout & { connection: number }>>;
  desktop(): Promise<XAnswer<XDesktop>>;
  /** A window's own pixels in an area of the root window, without the windows that cover it. */
  windowPixels(window: XWindow, area: Bounds): Promise<XAnswer<WindowPixels>>;
  /** Asks the window manager to show a window and give it the focus; whether it did is seen in `desktop()`. */
  activate(window: XWindow): Promise<XAnswer<void>>;
  /** Asks the window manager to give a window's frame these bounds on the root window; whether it did is seen in `desktop()`. */
  move(window: XWindow, bounds: Bounds): Promise<XAnswer<void>>;
  minimize(window: XWindow): Promise<XAnswer<void>>;
  /** Asks the app itself to close its window, if that hears such a request; whether it did is seen in `desktop()`. */
  requestClose(window: XWindow): Promise<XAnswer<void>>;
  /** Resolves when the windows may have changed since `revision` was read, at the latest after a tenth of a second. */
  nextChange(revision: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

const RECHECK_MS = 100;
const ANSWER_TIMEOUT_MS = 5_000;
const ALL_WORKSPACES = 0xffffffff;
const VIEWABLE = 2;
const REQUEST_OF_A_PAGER = 2;
const ICONIC = 3;
/** EWMH: the frame's corner counts (gravity 1), all four numbers are given, and a pager asks. */
const MOVE_FLAGS = 1 | (0b1111 << 8) | (REQUEST_OF_A_PAGER << 12);
const SIDE_TYPES = [
  'DOCK',
  'SPLASH',
  'TOOLBAR',
  'MENU',
  'DROPDOWN_MENU',
  'POPUP_MENU',
  'TOOLTIP',
  'NOTIFICATION',
  'DND',
];

/** Windows by EWMH. Connects when first asked and again after the server was gone; keeps the connection between calls. */
export function createX11(environment: NodeJS.ProcessEnv): X11 {
  let opening: Promise<XSession> | null = null;
  let connections = 0;
  let closed = false;

  function session(display: string): Promise<XSession> {
    const open = () => {
      connections += 1;
      return openXSession(display);
    };
    opening = opening === null ? open() : opening.then((known) => (known.isLost() ? open() : known), open);
    return opening;
  }

  async function withSession<Value>(work: (x: XSession) => Promise<Value>): Promise<XAnswer<Value>> {
    const { DISPLAY: display } = environment;
    if (display === undefined || display === '') return { ok: false, reason: noDisplay(environment) };
    if (closed) return { ok: false, reason: unreachable('The driver has been closed.') };
    try {
      return { ok: true, value: await withinLimit(await session(display), work) };
    } catch (error) {
      if (error instanceof DisplayLostError) return { ok: false, reason: unreachable(error.message) };
      throw error;
    }
  }

  return {
    layout: () => withSession(async (x) => ({ ...(await x.layout()), connection: connections })),
    desktop: () => withSession(readDesktop),
    windowPixels: (window, area) => withSession((x) => x.windowPixels(window.xid, area)),
    activate: (window) =>
      withSession((x) => x.message(window.xid, '_NET_ACTIVE_WINDOW', [REQUEST_OF_A_PAGER, 0, 0, 0, 0])),
    move: (window, bounds) =>
      withSession((x) => x.message(window.xid, '_NET_MOVERESIZE_WINDOW', moveWords(window, bounds))),
    minimize: (window) => withSession((x) => x.message(window.xid, 'WM_CHANGE_STATE', [ICONIC, 0, 0, 0, 0])),
    requestClose: (window) => withSession((x) => requestClose(x, window)),
    async nextChange(revision, signal) {
      const open = (await opening?.catch(() => null)) ?? null;
      if (open === null || open.rootChanges() === revision) await changeOrRecheck(open, signal);
    },
    async close() {
      closed = true;
      const open = await opening?.catch(() => null);
      open?.close();
    },
  };
}

/** The place is that of the frame, the size that of the app's own surface, as EWMH has it. */
function moveWords({ bounds: now, clientBounds }: XWindow, { x, y, width, height }: Bounds): number[] {
  const [across, down] = [now.width - clientBounds.width, now.height - clientBounds.height];
  return [MOVE_FLAGS, x, y, Math.max(1, width - across), Math.max(1, height - down)].map((word) => word >>> 0);
}

/** A server that hangs answers nothing and ends nothing; it counts as gone, and the next question connects anew. */
async function withinLimit<Value>(x: XSession, work: (x: XSession) => Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => x.close(), ANSWER_TIMEOUT_MS);
  try {
    return await work(x);
  } finally {
    clearTimeout(timer);
  }
}

function changeOrRecheck(x: XSession | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      stopListening?.();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, RECHECK_MS);
    const stopListening = x?.onRootChange(done);
    signal.addEventListener('abort', done, { once: true });
  });
}

async function readDesktop(x: XSession): Promise<XDesktop> {
  const revision = x.rootChanges();
  const [stacking, clients, active, workspace, hiddenAtom, desktopTypeAtom, ...sideTypeAtoms] = await Promise.all([
    x.property(x.root, '_NET_CLIENT_LIST_STACKING'),
    x.property(x.root, '_NET_CLIENT_LIST'),
    x.property(x.root, '_NET_ACTIVE_WINDOW'),
    x.property(x.root, '_NET_CURRENT_DESKTOP'),
    x.atom('_NET_WM_STATE_HIDDEN'),
    x.atom('_NET_WM_WINDOW_TYPE_DESKTOP'),
    ...SIDE_TYPES.map((type) => x.atom(`_NET_WM_WINDOW_TYPE_${type}`)),
  ]);
  const managed = stacking ?? clients;
  const lowestFirst = managed?.words() ?? (await unmanagedWindows(x));
  const context = {
    activeXid: active?.words()[0] ?? 0,
    workspace: workspace?.words()[0] ?? 0,
    hiddenAtom,
    desktopTypeAtom,
    sideTypeAtoms,
  };
  const windows = await Promise.all(lowestFirst.map((xid) => readWindow(x, xid, context)));
  return {
    windows: windows.filter((window) => window !== null).reverse(),
    hasWindowManager: managed !== null,
    revision,
  };
}

/** Without a window manager every window a program shows is a child of the root window. */
async function unmanagedWindows(x: XSession): Promise<number[]> {
  const children = await x.children(x.root);
  const attributes = await Promise.all(children.map((child) => x.attributes(child)));
  return children.filter((_child, index) => {
    const child = attributes[index];
    return child?.mapState === VIEWABLE && child.overrideRedirect === 0;
  });
}

type Context = {
  activeXid: number;
  workspace: number;
  hiddenAtom: number;
  desktopTypeAtom: number;
  sideTypeAtoms: readonly number[];
};

async function readWindow(x: XSession, xid: number, context: Context): Promise<XWindow | null> {
  const property = (name: string) => x.property(xid, name);
  const [geometry, position, attributes, manners, ...values] = await Promise.all([
    x.geometry(xid),
    x.position(xid),
    x.attributes(xid),
    readManners(x, xid),
    property('WM_CLASS'),
    property('_NET_WM_NAME'),
    property('WM_NAME'),
    property('_NET_WM_PID'),
    property('_NET_WM_STATE'),
    property('_NET_WM_DESKTOP'),
    property('_NET_WM_WINDOW_TYPE'),
    property('_NET_FRAME_EXTENTS'),
    property('_GTK_FRAME_EXTENTS'),
    property('_GTK_APPLICATION_ID'),
    property('_NET_STARTUP_ID'),
  ]);
  const [wmClass, netName, name, pid, state, workspace, type, frame, shadow, applicationId, startupId] = values;
  if (geometry === null || position === null || attributes === null) return null;
  const types = type?.words() ?? [];
  if (types.includes(context.desktopTypeAtom)) return null;
  const clientBounds = { ...position, width: geometry.width, height: geometry.height };
  const minimized = state?.words().includes(context.hiddenAtom) ?? false;
  const [instanceName = '', className = ''] = wmClass?.texts() ?? [];
  return {
    id: windowIdOf(xid),
    xid,
    instanceName,
    className,
    applicationId: applicationId?.text() ?? null,
    pid: pid?.words()[0] ?? null,
    title: (netName ?? name)?.text() ?? '',
    startupId: startupId?.text() ?? null,
    bounds: grown(grown(clientBounds, frame?.words(), 1), shadow?.words(), -1),
    clientBounds,
    focused: xid === context.activeXid && !minimized,
    minimized,
    shown: attributes.mapState === VIEWABLE && !minimized && isShownOn(workspace?.words()[0], context.workspace),
    isMain: !types.some((atom) => context.sideTypeAtoms.includes(atom)),
    ...manners,
  };
}

function windowIdOf(xid: number): string {
  return `0x${xid.toString(16).padStart(8, '0')}`;
}

function isShownOn(workspace: number | undefined, current: number): boolean {
  return workspace === undefined || workspace === ALL_WORKSPACES || workspace === current;
}

/** `margins` are left, right, top and bottom, as EWMH orders them. */
function grown(bounds: Bounds, margins: readonly number[] | undefined, direction: 1 | -1): Bounds {
  const [left = 0, right = 0, top = 0, bottom = 0] = margins ?? [];
  return {
    x: bounds.x - direction * left,
    y: bounds.y - direction * top,
    width: bounds.width + direction * (left + right),
    height: bounds.height + direction * (top + bottom),
  };
}

function noDisplay({ WAYLAND_DISPLAY: wayland }: NodeJS.ProcessEnv): NoDisplay {
  if (wayland !== undefined && wayland !== '') {
    return {
      kind: 'wayland',
      message: 'This is a Wayland session without an X server; Handrail on Linux works through X11 only.',
      fix: 'Log in to an X11 ("Xorg") session, or enable XWayland and set DISPLAY.',
    };
  }
  return {
    kind: 'none',
    message: 'There is no display: DISPLAY is not set.',
    fix: 'Start Handrail from a desktop session, or install what a virtual desktop needs (xvfb, openbox, dbus, at-spi2-core, util-linux) and start it again; its log names the command.',
  };
}

function unreachable(message: string): NoDisplay {
  return {
    kind: 'unreachable',
    message,
    fix: 'Check that the X server named by DISPLAY runs and that XAUTHORITY names a cookie it accepts.',
  };
}
