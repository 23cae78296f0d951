import type { Confirmation } from '../../../src/contract/console.ts';
import { MOST_PROMPT_WAIT_MS } from '../../../src/contract/prompt-expiry.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';

type Props = { confirmation: Confirmation; equal: number; model: DashboardModel };

const STEP_MS = 250;

/** The time until the request expires, a way to more of it, and the place of this prompt in the queue. */
export function TimeLeft({ confirmation, equal, model: { client, act } }: Props) {
  const { id, createdAt, expiresAt, prompt } = confirmation;
  const left = leftMs({ expiresAt, steppedNowMs: useNow(STEP_MS), stepMs: STEP_MS });
  const others = prompt.waiting - 1 - equal;
  const canExtend = left > 0 && Date.parse(expiresAt) < Date.parse(createdAt) + MOST_PROMPT_WAIT_MS;
  return (
    <p className="time-left">
      {others > 0 && `${others} more waiting · `}
      <span role="timer" className={isSoon(left) ? 'soon' : ''}>
        {isSoon(left) ? `Expires in ${countdown(left)}` : `${countdown(left)} left`}
      </span>
      {canExtend && ' '}
      {canExtend && (
        <button type="button" className="extend" onClick={() => void act(client.extend(id))}>
          2 more minutes
        </button>
      )}
    </p>
  );
}

/**
 * The time until a prompt expires, in milliseconds. The page reads its clock in steps, so up to one step more has passed
 * than `steppedNowMs` says. The result leaves that step out, so that the page never promises more time than there is.
 */
export function leftMs(at: { expiresAt: string; steppedNowMs: number; stepMs: number }): number {
  return Date.parse(at.expiresAt) - at.steppedNowMs - at.stepMs;
}

const SOON_MS = 15_000;

/** Whether so little time is left, in milliseconds, that the page says what happens at its end. */
export function isSoon(left: number): boolean {
  return left <= SOON_MS;
}
