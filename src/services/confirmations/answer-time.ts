import { MORE_TIME_MS, MOST_PROMPT_WAIT_MS } from '../../contract/times.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { tryToStore, untilStored } from '../work/storage-failure.ts';
import { journalIds } from './journal-ids.ts';

type Timed = {
  /** When it ends in any case. */
  mostMs: number;
  /** The time to answer that is left, as of `sinceMs` while it runs. */
  leftMs: number;
  /** Since when its time runs. Nothing while another prompt is before it. */
  sinceMs: number | undefined;
  stopTimer(): void;
};

const LOOK_EVERY_MS = 30_000;

type Parts = {
  /** Ends a prompt whose time is over. */
  expire(id: string): void;
};

/**
 * The time in which a prompt has to be answered. It runs while the prompt is the first of the queue, since the person can allow no
 * other. So many prompts of others do not use up the time of a prompt behind them.
 */
export function createAnswerTime(context: Context, { expire }: Parts) {
  const { store, clock } = context;
  const timed = new Map<string, Timed>();

  const endMs = ({ mostMs, leftMs, sinceMs }: Timed) =>
    sinceMs === undefined ? mostMs : Math.min(mostMs, sinceMs + leftMs);

  /** Timers stand still while the machine is suspended, so the clock is looked at now and then, too. */
  function arm(id: string, prompt: Timed, leftMs = endMs(prompt) - clock.nowMs()): void {
    prompt.stopTimer();
    const pauseMs = Math.min(leftMs, LOOK_EVERY_MS);
    prompt.stopTimer = clock.after(pauseMs, () => {
      if (pauseMs < leftMs && clock.nowMs() < endMs(prompt)) arm(id, prompt, leftMs - pauseMs);
      else untilStored(context, () => expire(id));
    });
  }

  function change(id: string, prompt: Timed, next: Pick<Timed, 'leftMs' | 'sinceMs'>): void {
    Object.assign(prompt, next);
    arm(id, prompt);
    tryToStore(context, 'a prompt waits longer or shorter, but that could not be stored', () =>
      store.write('relaxed', () => store.confirmations.setExpiry(id, endMs(prompt))),
    );
  }

  return {
    /** The person wants more time for a prompt. The ten minutes in all stay as they are. */
    extend(row: ConfirmationRow): undefined {
      const prompt = timed.get(row.id);
      if (prompt === undefined) return;
      change(row.id, prompt, { leftMs: prompt.leftMs + MORE_TIME_MS, sinceMs: prompt.sinceMs });
      const expiresAtMs = endMs(prompt);
      store.write('relaxed', () =>
        store.journal.append(clock.nowMs(), {
          kind: 'confirmation.extended',
          ...journalIds(row),
          metadata: { leftMs: Math.max(0, expiresAtMs - clock.nowMs()) },
        }),
      );
    },
    /** Ends a prompt at its time, unless the returned function is called before. It is stored as if it were the first. */
    watch({ id, createdAtMs, expiresAtMs }: ConfirmationRow): () => void {
      const prompt: Timed = {
        mostMs: createdAtMs + MOST_PROMPT_WAIT_MS,
        leftMs: expiresAtMs - createdAtMs,
        sinceMs: createdAtMs,
        stopTimer: () => undefined,
      };
      timed.set(id, prompt);
      arm(id, prompt);
      return () => {
        prompt.stopTimer();
        timed.delete(id);
      };
    },
    /** To be told which prompt is the first of the queue whenever that may have changed. */
    first(firstId: string | undefined): void {
      const nowMs = clock.nowMs();
      for (const [id, prompt] of timed) {
        const { leftMs, sinceMs } = prompt;
        if (id === firstId && sinceMs === undefined) change(id, prompt, { leftMs, sinceMs: nowMs });
        if (id !== firstId && sinceMs !== undefined)
          change(id, prompt, { leftMs: leftMs - (nowMs - sinceMs), sinceMs: undefined });
      }
    },
  };
}
