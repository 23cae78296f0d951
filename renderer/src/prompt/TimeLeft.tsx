import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';

type Props = { expiresAt: string; place: number; waiting: number };

const SOON_MS = 15_000;
const STEP_MS = 250;

/** When it is over the answer is no; and where this prompt stands in the queue. */
export function TimeLeft({ expiresAt, place, waiting }: Props) {
  // The time it is goes in steps, so up to one more has passed: no more is promised than there is.
  const leftMs = Date.parse(expiresAt) - useNow(STEP_MS) - STEP_MS;
  const isSoon = leftMs <= SOON_MS;
  return (
    <p className="time-left">
      {waiting > 1 && `${place} of ${waiting} · `}
      <span role="timer" className={isSoon ? 'soon' : ''}>
        {countdown(leftMs)} {isSoon ? 'until it is no' : 'left'}
      </span>
    </p>
  );
}
