import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';

const MOST_REMEMBERED = 1_000;

/** Knows of which prompts somebody could have learned. It says nothing about whether they did. */
export function createReached({ clock }: Pick<Context, 'clock'>) {
  let openPages = 0;
  let lastPageAtMs = Number.NEGATIVE_INFINITY;
  const called = new Set<string>();
  return {
    /** A page of the dashboard is open, until the answer is called. */
    pageOpened(): () => void {
      openPages += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        openPages -= 1;
        lastPageAtMs = clock.nowMs();
      };
    },
    /** A notification, the person's hook or a terminal took the call for a prompt. */
    callTaken(id: string): void {
      called.add(id);
      const [oldest] = called;
      if (called.size > MOST_REMEMBERED && oldest !== undefined) called.delete(oldest);
    },
    /** Whether a page was open, or a call was taken, since the prompt began to wait. */
    isReached: ({ id, createdAtMs, shownAtMs }: ConfirmationRow): boolean =>
      shownAtMs !== undefined || openPages > 0 || lastPageAtMs >= createdAtMs || called.has(id),
  };
}
