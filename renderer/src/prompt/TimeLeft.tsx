import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { isSoon, leftMs } from './time-left.ts';

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
