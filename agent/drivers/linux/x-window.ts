import type { Bounds } from '../../../src/contract/device.ts';
import type { XSession } from './x-session.ts';

/** How a window behaves towards the person, and towards programs that ask it to close. */
type WindowManners = {
  /** A dialog, or a window that belongs to another one. */
  isDialog: boolean;
  /** Modal: its app accepts no other input until the person answers it. */
  isModal: boolean;
  /** The window manager keeps it in front of all others. */
  staysAbove: boolean;
  /** Its app accepts a request to close; any other window can only be closed by force. */
  closesOnRequest: boolean;
};

const CURRENT_TIME = 0;

export async function readManners(x: XSession, xid: number): Promise<WindowManners> {
  const [protocols, owner, types, states, deleteAtom, dialogAtom, modalAtom, aboveAtom] = await Promise.all([
    wordsOf(x, xid, 'WM_PROTOCOLS'),
    wordsOf(x, xid, 'WM_TRANSIENT_FOR'),
    wordsOf(x, xid, '_NET_WM_WINDOW_TYPE'),
    wordsOf(x, xid, '_NET_WM_STATE'),
    x.atom('WM_DELETE_WINDOW'),
    x.atom('_NET_WM_WINDOW_TYPE_DIALOG'),
    x.atom('_NET_WM_STATE_MODAL'),
    x.atom('_NET_WM_STATE_ABOVE'),
  ]);
  return {
    isDialog: types.includes(dialogAtom) || (owner[0] ?? 0) !== 0,
    isModal: states.includes(modalAtom),
    staysAbove: states.includes(aboveAtom),
    closesOnRequest: protocols.includes(deleteAtom),
  };
}

/**
 * The request goes to the window itself, since a window manager ends the program of a window that does not accept the
 * request. The app cannot tell the two ways apart, and this one also works where no window manager runs.
 */
export async function requestClose(
  x: XSession,
  { xid, closesOnRequest }: { xid: number; closesOnRequest: boolean },
): Promise<void> {
  if (closesOnRequest) await x.tell(xid, 'WM_PROTOCOLS', [await x.atom('WM_DELETE_WINDOW'), CURRENT_TIME, 0, 0, 0]);
}

async function wordsOf(x: XSession, xid: number, property: string): Promise<number[]> {
  return (await x.property(xid, property))?.words() ?? [];
}

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

/** `isItself` is false where a menu or the like of it gets the clicks. `popup`: the place of that; a hint is none. */
export type WindowAt = { window: XWindow; isItself: boolean; popup?: Bounds };
