import { DAY_MS, daysAgo, startOfDay } from '../../guardian/metrics/local-time.ts';
import { type Usual, usualOf } from '../../guardian/metrics/usual.ts';
import { createRemembered } from './remembered.ts';
import { type createWindows, HOUR_MS, type Span } from './windows.ts';

const WINDOWS = 28;
const MOST_REMEMBERED = 64;

export type UsualIn = (span: Span) => Usual;

/**
 * The usual values in windows as long as a span, from 28 windows before it that begin with an hour. Windows shorter than a day are taken
 * at the same time of the last 28 days; longer ones follow each other, from midnight to midnight. The past is worked out once.
 */
export function createUsualWindows(windows: Pick<ReturnType<typeof createWindows>, 'recorded'>): UsualIn {
  const remembered = createRemembered<string, Usual>(MOST_REMEMBERED);
  return (span) => {
    const { lengthMs, ends } = gridBefore(span);
    const usual = () => usualOf(ends.map((toMs) => windows.recorded({ fromMs: toMs - lengthMs, toMs })));
    return remembered(`${lengthMs} ${ends[0]}`, usual);
  };
}

/** How long the earlier windows are, and where they end, the last one first; it is not within the span. */
function gridBefore({ fromMs, toMs }: Span): { lengthMs: number; ends: number[] } {
  const lengthMs = Math.max(HOUR_MS, Math.round((toMs - fromMs) / HOUR_MS) * HOUR_MS);
  const lastMs = floorToHour(lengthMs < DAY_MS ? toMs : startOfDay(fromMs));
  const days = Math.max(1, lengthMs / DAY_MS);
  const first = lengthMs < DAY_MS ? 1 : 0;
  return { lengthMs, ends: Array.from({ length: WINDOWS }, (_, index) => daysAgo(lastMs, (first + index) * days)) };
}

function floorToHour(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}
