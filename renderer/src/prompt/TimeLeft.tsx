import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';

type Props = { expiresAt: string; place: number; waiting: number };

const STEP_MS = 250;

/** The time until the request is denied automatically, and the place of this prompt in the queue. */
export function TimeLeft({ expiresAt, place, waiting }: Props) {
  const left = leftMs({ expiresAt, steppedNowMs: useNow(STEP_MS), stepMs: STEP_MS });
  return (
    <p className="time-left">
      {waiting > 1 && `${place} of ${waiting} · `}
      <span role="timer" className={isSoon(left) ? 'soon' : ''}>
        {isSoon(left) ? `Denied automatically in ${countdown(left)}` : `${countdown(left)} left`}
      </span>
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
