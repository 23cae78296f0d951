import { refused, told } from '../../hands/input-outcome.ts';
import { createWindowChanges, type WindowDesk, type WindowWish } from '../../hands/window-changes.ts';
import type { InputDriver } from '../../input.ts';
import { namedWindows, placeOf } from '../screen-windows.ts';
import { withoutDisplay } from '../without-display.ts';
import type { XWindow } from '../x-window.ts';
import type { X11 } from '../x11.ts';
import type { LinuxActing } from './acting.ts';
import type { SightNeeds } from './sight.ts';

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

export function createWindowActions(
  acting: LinuxActing,
  { x11, entries }: Pick<SightNeeds, 'x11' | 'entries'>,
): Windows {
  return {
    async listWindows() {
      const desktop = await x11.desktop();
      if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
      const windows = await namedWindows(desktop.value.windows, await entries.list());
      return told(`There are ${windows.length} windows.`, { windows });
    },
    async windowPlaces() {
      const desktop = await x11.desktop();
      return desktop.ok ? desktop.value.windows.map(placeOf) : [];
    },
    ...createWindowChanges(() => windowDesk(x11), acting),
  };
}

function windowDesk(x11: X11): WindowDesk {
  let revision = 0;
  const look = async (windowId: string) => {
    const desktop = await x11.desktop();
    if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
    revision = desktop.value.revision;
    return desktop.value.windows.find(({ id }) => id === windowId) ?? null;
  };
  return {
    now: () => performance.now(),
    look,
    async ask(windowId, wish) {
      const window = await look(windowId);
      if (window === null) return refused(GONE);
      if ('code' in window) return window;
      const asked = await request(x11, window, wish);
      return asked.ok ? undefined : refused(withoutDisplay(asked.reason));
    },
    untilLater: (signal) => x11.nextChange(revision, signal),
  };
}

function request(x11: X11, window: XWindow, wish: WindowWish) {
  switch (wish.wish) {
    case 'focus':
      return x11.activate(window);
    case 'move':
      return x11.move(window, wish.bounds);
    case 'minimize':
      return x11.minimize(window);
    case 'close':
      return x11.requestClose(window);
  }
}

const GONE = {
  code: 'target_gone',
  message: 'Expected the id of a window; there is none with it.',
  fix: 'List the windows again.',
} as const;
