import type { Bounds } from '../../../src/contract/device.ts';
import type { Point } from '../../../src/contract/frames.ts';
import { requestClose } from './window-manners.ts';
import type { WindowPixels } from './window-reader.ts';
import { readDesktop, readMenuOpen, readWindowAt } from './x-desktop.ts';
import type { XLayout } from './x-monitors.ts';
import { DisplayLostError, openXSession, type XSession } from './x-session.ts';
import type { WindowAt, XDesktop, XWindow } from './x-window.ts';

export type XAnswer<Value> = { ok: true; value: Value } | { ok: false; reason: NoDisplay };

/** `wayland`: a Wayland session without an X server; `unreachable`: an X server is named but cannot be used. */
export type NoDisplay = { kind: 'none' | 'wayland' | 'unreachable'; message: string; fix: string };

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
