import type { XSession } from './x-session.ts';

/** How a window behaves towards the person, and towards programs that ask it to close. */
export type WindowManners = {
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
