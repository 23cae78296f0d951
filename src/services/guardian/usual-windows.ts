import { type Usual, usualOf } from '../../guardian/metrics/usual.ts';
import type { createWindows, Span } from './windows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOWS = 28;
const MOST_REMEMBERED = 64;

export type UsualIn = (span: Span) => Usual;

/**
 * The usual values in windows as long as a span, from 28 windows before it that begin with an hour. Windows shorter than a day are taken
 * at the same time of the last 28 days; longer ones follow each other, from midnight to midnight. The past is worked out once.
 */
export function createUsualWindows(windows: Pick<ReturnType<typeof createWindows>, 'recorded'>): UsualIn {
  const known = new Map<string, Usual>();
  return (span) => {
    const { lengthMs, everyMs, lastMs } = gridBefore(span);
    const key = `${lengthMs} ${lastMs}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const earlier = Array.from({ length: WINDOWS }, (_, index) => lastMs - index * everyMs);
    const usual = usualOf(earlier.map((toMs) => windows.recorded({ fromMs: toMs - lengthMs, toMs })));
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, usual);
    return usual;
  };
}

/** How long the earlier windows are, how far apart, and where the last of them ends, which is not within the span. */
function gridBefore({ fromMs, toMs }: Span): { lengthMs: number; everyMs: number; lastMs: number } {
  const lengthMs = Math.max(HOUR_MS, Math.round((toMs - fromMs) / HOUR_MS) * HOUR_MS);
  if (lengthMs < DAY_MS) return { lengthMs, everyMs: DAY_MS, lastMs: floorToHour(toMs) - DAY_MS };
  return { lengthMs, everyMs: lengthMs, lastMs: floorToHour(midnightBefore(fromMs)) };
}

function midnightBefore(atMs: number): number {
  const localMs = atMs - new Date(atMs).getTimezoneOffset() * 60_000;
  return atMs - (localMs % DAY_MS);
}

function floorToHour(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}
