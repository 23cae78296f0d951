import { NOTICE_ACTIONS } from '../shell/asks.ts';
import type { NoticeEvents } from './doors.ts';
import type { ShellNotice, Surface } from './surface.ts';

type Options = {
  electron: Pick<Surface, 'Notification'>;
  /** Listens for clicks on a notification. */
  watch(notice: NoticeEvents): void;
  log: { warn(fields: object, message: string): void };
};

/** Tells the person that something waits. A notification offers to review, never to approve. */
export function createNotices({ electron, watch, log }: Options) {
  let shown: ShellNotice | undefined;
  const close = () => {
    shown?.close();
    shown = undefined;
  };
  return {
    /** `failed` is called when the system shows no notification: at once, or later. */
    call(waiting: number, failed: () => void): void {
      close();
      if (!electron.Notification.isSupported()) {
        failed();
        return;
      }
      const notice = new electron.Notification({
        ...noticeOf(waiting),
        actions: NOTICE_ACTIONS.map(({ text }) => ({ type: 'button', text })),
      });
      watch(notice);
      notice.on('failed', (_event, error) => {
        // The panel and the menu show the prompt all the same. Without a signature macOS shows no notifications.
        log.warn({ reason: error }, 'macOS did not show a notification');
        if (shown === notice) shown = undefined;
        failed();
      });
      // Kept: a notification that is collected as garbage hears no click.
      shown = notice;
      notice.show();
    },
    close,
  };
}

/** The words of a notification. It stands on the locked screen, too, so that it names neither program nor action. */
function noticeOf(waiting: number): { title: string; body: string } {
  return {
    title: 'Handrail needs your answer',
    body: waiting === 1 ? 'A request waits for you.' : `${waiting} requests wait for you.`,
  };
}
