import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { leftMs } from './time-left.ts';

type Props = { expiresAt: string; place: number; waiting: number };

const SOON_MS = 15_000;
const STEP_MS = 250;

/** When it is over the answer is no; and where this prompt stands in the queue. */
export function TimeLeft({ expiresAt, place, waiting }: Props) {
  const left = leftMs({ expiresAt, steppedNowMs: useNow(STEP_MS), stepMs: STEP_MS });
  const isSoon = left <= SOON_MS;
  return (
    <p className="time-left">
      {waiting > 1 && `${place} of ${waiting} · `}
      <span role="timer" className={isSoon ? 'soon' : ''}>
        {countdown(left)} {isSoon ? 'until it is no' : 'left'}
      </span>
    </p>
  );
}
