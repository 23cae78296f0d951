import type { Bounds } from '../../../src/contract/device.ts';
import type { Point } from '../../../src/contract/frames.ts';
import { readManners } from './window-manners.ts';
import type { XSession } from './x-session.ts';
import type { WindowAt, XDesktop, XWindow } from './x-window.ts';

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
export async function readDesktop(x: XSession): Promise<XDesktop> {
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
export async function readWindowAt(x: XSession, point: Point, windows: readonly XWindow[]): Promise<WindowAt | null> {
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
export async function readMenuOpen(x: XSession, { xid, pid }: XWindow): Promise<boolean> {
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
