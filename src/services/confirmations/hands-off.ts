import type { RiskLevel } from '../../contract/action.ts';
import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { tryToStore } from '../work/storage-failure.ts';
import { riskOf } from './subject.ts';

/** How long after it was shown, and after the last input, a prompt cannot be allowed yet. */
const DELAY_MS: Record<RiskLevel, number> = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };

type Parts = {
  live: LiveActions;
  waiting(): PendingConfirmation[];
  holds: { forget(id: string): void };
  queue: { changed(): void };
  /** Since when no input of ours runs, in epoch ms: infinite while some may run. */
  inputEndedAtMs(): number;
};

/**
 * The hands cannot press Allow. While a prompt is shown no input is sent; input under way ends first, and the prompt then waits its
 * delay anew. This holds whatever window shows the prompt.
 */
export function createHandsOff(context: Context, { live, waiting, holds, queue, inputEndedAtMs }: Parts) {
  const { store } = context;
  const shown = () => waiting().filter(({ shownAtMs }) => shownAtMs !== undefined);
  const delayMs = (row: ConfirmationRow) => DELAY_MS[riskOf(live, row)];

  function rearm(id: string): void {
    const row = store.confirmations.find(id);
    if (row?.shownAtMs === undefined) return;
    const { shownAtMs } = row;
    const answerableAtMs = inputEndedAtMs() + delayMs(row);
    // A press may have been that of the input.
    holds.forget(id);
    if (Number.isFinite(answerableAtMs)) store.confirmations.markShown(id, { shownAtMs, answerableAtMs });
  }

  return {
    delayMs,
    /** Whether a prompt is on screen for the person. */
    isShown: (): boolean => shown().length > 0,
    /** From when on no input of ours can have allowed this prompt, in epoch ms. */
    atMs: (row: ConfirmationRow): number => inputEndedAtMs() + delayMs(row),
    /** To be told when input has ended. */
    inputEnded(): void {
      const rows = shown();
      if (rows.length === 0) return;
      tryToStore(context, 'input ended while a prompt was shown; the prompt tells its former time', () =>
        store.write('relaxed', () => {
          for (const { id } of rows) rearm(id);
        }),
      );
      queue.changed();
    },
  };
}
