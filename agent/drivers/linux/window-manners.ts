import type { XSession } from './x-session.ts';

/** How a window behaves towards the person and towards those who want it closed. */
export type WindowManners = {
  /** A dialog, or a window that belongs to another one. */
  isDialog: boolean;
  /** Its app hears nothing else until it is answered. */
  isModal: boolean;
  /** Its app wants to be asked when it is to close; any other window can only be taken away from its program. */
  closesOnRequest: boolean;
};

const CURRENT_TIME = 0;

export async function readManners(x: XSession, xid: number): Promise<WindowManners> {
  const [protocols, owner, types, states, deleteAtom, dialogAtom, modalAtom] = await Promise.all([
    wordsOf(x, xid, 'WM_PROTOCOLS'),
    wordsOf(x, xid, 'WM_TRANSIENT_FOR'),
    wordsOf(x, xid, '_NET_WM_WINDOW_TYPE'),
    wordsOf(x, xid, '_NET_WM_STATE'),
    x.atom('WM_DELETE_WINDOW'),
    x.atom('_NET_WM_WINDOW_TYPE_DIALOG'),
    x.atom('_NET_WM_STATE_MODAL'),
  ]);
  return {
    isDialog: types.includes(dialogAtom) || (owner[0] ?? 0) !== 0,
    isModal: states.includes(modalAtom),
    closesOnRequest: protocols.includes(deleteAtom),
  };
}

/**
 * Not by way of the window manager: asked to close a window that does not hear the request, that one ends the program.
 * The app cannot tell the two ways apart, and this one also works where no window manager runs.
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
