import type { BrowserWindow, Event, NotificationActionEventParams } from 'electron';
import type { Daemon } from '../daemon/daemon.ts';
import { type Ask, askOfLink, askOfPress, askOfSecondStart, createEarlyAsks } from '../shell/asks.ts';
import { bringForward } from '../shell/prompt-calls.ts';

/** The part of electron's `app` that is used. */
export type AppEvents = {
  on(event: 'activate', listener: () => void): unknown;
  on(event: 'open-url', listener: (event: Event, link: string) => void): unknown;
  on(
    event: 'second-instance',
    listener: (event: Event, argv: string[], workingDirectory: string, additionalData: unknown) => void,
  ): unknown;
};

/** The part of an electron `Notification` that is used. */
export type NoticeEvents = {
  on(event: 'click' | 'reply', listener: () => void): unknown;
  on(event: 'action', listener: (details: Event<NotificationActionEventParams>) => void): unknown;
};

export type Doors = {
  /** From now on the shell handles requests; earlier requests are handled now. */
  open(shell: Shell): void;
  /** Listens to the events of a notification. */
  watch(notice: NoticeEvents): void;
};

type Shell = {
  daemon: Pick<Daemon, 'noteSelfApproval'>;
  /** The window in which the person sees what was asked for. */
  windowFor(ask: Ask): Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>;
};

/**
 * Receives requests of other programs to the shell. A request can only bring a window to the front; any other is refused and
 * counted as an attempt to approve in the person's place. Create this before electron is ready: a link that starts the app
 * arrives before that.
 */
export function createDoors(app: AppEvents): Doors {
  const asks = createEarlyAsks();
  app.on('activate', () => asks.receive('show'));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    asks.receive(askOfLink(link));
  });
  app.on('second-instance', (_event, _argv, _folder, additionalData) => asks.receive(askOfSecondStart(additionalData)));

  return {
    open({ daemon, windowFor }) {
      asks.open({
        carryOut: (ask) => bringForward(windowFor(ask)),
        refused: () => daemon.noteSelfApproval(), // guard A2-6
      });
    },
    watch(notice) {
      notice.on('click', () => asks.receive(askOfPress({ on: 'notice' })));
      notice.on('action', ({ actionIndex }) => asks.receive(askOfPress({ on: 'action', index: actionIndex })));
      notice.on('reply', () => asks.receive(askOfPress({ on: 'reply' })));
    },
  };
}
