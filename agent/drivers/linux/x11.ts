import type { SideEffect } from '../../../src/contract/action.ts';
import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { Point } from '../../../src/contract/picture-frames.ts';
import type { Failed } from '../outcome.ts';
import type { WindowPixels } from './window-reader.ts';
import { DisplayLostError, openXSession, type XLayout, type XSession } from './x-session.ts';
import { readManners, requestClose, type WindowAt, type XDesktop, type XWindow } from './x-window.ts';

type XAnswer<Value> = { ok: true; value: Value } | { ok: false; reason: NoDisplay };

/** `wayland`: a Wayland session without an X server; `unreachable`: an X server is named but cannot be used. */
type NoDisplay = { kind: 'none' | 'wayland' | 'unreachable'; message: string; fix: string };

export type X11 = {
  /** `connection` counts the connections made: another number means that the server was gone in between. */
  layout(): Promise<XAnswer<XLayout & { connection: number }>>;
  desktop(): Promise<XAnswer<XDesktop>>;
  /** The window that gets the clicks at a point: one of these or, for a menu and the like, one that no window manager knows. */
  windowAt(point: Point, windows: readonly XWindow[]): Promise<XAnswer<WindowAt | null>>;
  /** Whether a menu or the like is open in front of a window, which then gets its keys. */
  isMenuOpen(window: XWindow): Promise<XAnswer<boolean>>;
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
const REQUEST_OF_A_PAGER = 2;
const ICONIC = 3;
/** EWMH: the frame's corner counts (gravity 1), all four numbers are given, and a pager asks. */
const MOVE_FLAGS = 1 | (0b1111 << 8) | (REQUEST_OF_A_PAGER << 12);

const ALL_WORKSPACES = 0xffffffff;
const VIEWABLE = 2;
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

/** The windows as the window manager tells them. */
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

/** The bits of an id that tell which program made the window; a server for 256 programs gives each 21 bits. */
const CLIENT_SHIFT = 21;

/** The window that gets the clicks at a point. A menu counts as the window in front of the program that shows it. */
async function readWindowAt(x: XSession, point: Point, windows: readonly XWindow[]): Promise<WindowAt | null> {
  const child = await x.childAt(point);
  if (child === null) return null;
  const shown = windows.filter((window) => window.shown);
  const tops = await Promise.all(shown.map(({ xid }) => x.topLevel(xid)));
  const own = shown.find((_window, index) => tops[index] === child);
  if (own !== undefined) return { window: own, isItself: true };
  const isOfClient = ({ xid }: XWindow) => xid >>> CLIENT_SHIFT === child >>> CLIENT_SHIFT;
  const window = shown.find(isOfClient) ?? (await readWindow(x, child, NO_CONTEXT));
  const popup = await popupBounds(x, child);
  return window && { window, isItself: false, ...(popup !== null && { popup }) };
}

/** They go away when the pointer comes. */
const FLEETING = ['TOOLTIP', 'DND'];

async function popupBounds(x: XSession, child: number): Promise<Bounds | null> {
  const [geometry, position, type, fleeting] = await Promise.all([
    x.geometry(child),
    x.position(child),
    x.property(child, '_NET_WM_WINDOW_TYPE'),
    typeAtoms(x, FLEETING),
  ]);
  if (geometry === null || position === null || type?.words().some((each) => fleeting.includes(each))) return null;
  return { ...position, width: geometry.width, height: geometry.height };
}

/** By EWMH: windows that no window manager knows, and that take no keys. */
const WITHOUT_KEYS = ['TOOLTIP', 'NOTIFICATION', 'DND', 'SPLASH', 'DOCK', 'DESKTOP'];
const MENUS = ['MENU', 'DROPDOWN_MENU', 'POPUP_MENU', 'COMBO'];
/** Some toolkits show a window of one dot or so to hear of something. */
const LEAST_MENU = 8;

/** A menu says so, or is another window without a manager of the same program. */
async function readMenuOpen(x: XSession, { xid, pid }: XWindow): Promise<boolean> {
  const children = await x.children(x.root);
  const [keyless, menus] = await Promise.all([WITHOUT_KEYS, MENUS].map((types) => typeAtoms(x, types)));
  const found = await Promise.all(
    children.map(async (child) => {
      const [attributes, geometry, type, owner] = await Promise.all([
        x.attributes(child),
        x.geometry(child),
        x.property(child, '_NET_WM_WINDOW_TYPE'),
        x.property(child, '_NET_WM_PID'),
      ]);
      const isShown = attributes?.mapState === VIEWABLE && attributes.overrideRedirect !== 0;
      if (!isShown || Math.min(geometry?.width ?? 0, geometry?.height ?? 0) < LEAST_MENU) return false;
      const types = type?.words() ?? [];
      if (types.some((each) => menus?.includes(each))) return true;
      const isOwn = child >>> CLIENT_SHIFT === xid >>> CLIENT_SHIFT || (pid !== null && owner?.words()[0] === pid);
      return isOwn && !types.some((each) => keyless?.includes(each));
    }),
  );
  return found.includes(true);
}

function typeAtoms(x: XSession, types: readonly string[]): Promise<number[]> {
  return Promise.all(types.map((type) => x.atom(`_NET_WM_WINDOW_TYPE_${type}`)));
}

const NO_CONTEXT: Context = { activeXid: 0, workspace: 0, hiddenAtom: 0, desktopTypeAtom: 0, sideTypeAtoms: [] };

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
    windowAt: (point, windows) => withSession((x) => readWindowAt(x, point, windows)),
    isMenuOpen: (window) => withSession((x) => readMenuOpen(x, window)),
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

/** The failure of an action that needs windows on a machine without a usable display. */
export function withoutDisplay({ kind, message, fix }: NoDisplay, sideEffect: SideEffect = 'none'): Failed {
  const code = kind === 'wayland' ? 'not_supported' : 'display_unavailable';
  return { ok: false, code, message, fix, sideEffect };
}

/**
 * The displays of the X server; an empty list when there is none, or none that can be reached. Bounds are in pixels of the
 * root window, so `scale` is 1. The id is the name of the output, such as `HDMI-1`.
 */
export async function readDisplays(x11: X11): Promise<Display[]> {
  const answer = await x11.layout();
  return answer.ok ? displaysOf(answer.value) : [];
}

export function displaysOf(layout: XLayout): Display[] {
  return layout.monitors.map(({ name, bounds }, index) => {
    const id = name ?? `display-${index + 1}`;
    return { id, name: id, primary: index === 0, bounds: { ...bounds }, scale: 1 };
  });
}
