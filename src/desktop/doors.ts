import type { BrowserWindow, Event, NotificationActionEventParams } from 'electron';
import type { Daemon } from '../daemon.ts';
import { type Ask, askOfLink, askOfPress, askOfSecondStart } from '../shell/asks.ts';

/** What is used of electron's `app`. */
export type AppEvents = {
  on(event: 'activate', listener: () => void): unknown;
  on(event: 'open-url', listener: (event: Event, link: string) => void): unknown;
  on(
    event: 'second-instance',
    listener: (event: Event, argv: string[], workingDirectory: string, additionalData: unknown) => void,
  ): unknown;
};

/** What is used of an electron `Notification`. */
export type NoticeEvents = {
  on(event: 'click' | 'reply', listener: () => void): unknown;
  on(event: 'action', listener: (details: Event<NotificationActionEventParams>) => void): unknown;
};

export type Doors = {
  /** From now on the shell answers; what came before is answered now. */
  open(shell: Shell): void;
  /** Listens to what is done to a notification of ours. */
  watch(notice: NoticeEvents): void;
};

type Shell = {
  daemon: Pick<Daemon, 'noteSelfApproval'>;
  /** The window in which the person sees what was asked for. */
  windowFor(ask: Ask): Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>;
};

/**
 * The doors by which other programs reach the shell. Whatever is asked, nothing but a window coming forward follows from it;
 * everything else is refused and counted as an attempt to approve in the person's place. To be made before electron is
 * ready: a link that starts the app comes before that.
 */
export function createDoors(app: AppEvents): Doors {
  let shell: Shell | undefined;
  let early: { refused: number; ask?: Ask } = { refused: 0 };

  function answer(ask: Ask | 'refused'): void {
    if (shell !== undefined) carryOut(shell, ask);
    else if (ask === 'refused') early = { ...early, refused: early.refused + 1 };
    else early = { ...early, ask };
  }

  app.on('activate', () => answer('show'));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    answer(askOfLink(link));
  });
  app.on('second-instance', (_event, _argv, _folder, additionalData) => answer(askOfSecondStart(additionalData)));

  return {
    open(opened) {
      shell = opened;
      for (let count = 0; count < early.refused; count += 1) carryOut(opened, 'refused');
      if (early.ask !== undefined) carryOut(opened, early.ask);
      early = { refused: 0 };
    },
    watch(notice) {
      notice.on('click', () => answer(askOfPress({ on: 'notice' })));
      notice.on('action', ({ actionIndex }) => answer(askOfPress({ on: 'action', index: actionIndex })));
      notice.on('reply', () => answer(askOfPress({ on: 'reply' })));
    },
  };
}

function carryOut({ daemon, windowFor }: Shell, ask: Ask | 'refused'): void {
  if (ask === 'refused') {
    daemon.noteSelfApproval();
    return;
  }
  const window = windowFor(ask);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
