const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The rest of a time, such as `1:05`. Rounds up, so that `0:00` means over; never below that. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** How long ago something was, such as `2 minutes ago` or `yesterday`. */
export function timeAgo(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs;
  return agoMs < MINUTE_MS ? 'just now' : inLargestUnit(-agoMs);
}

/** How far ahead something is, such as `in 3 hours`. */
export function timeAhead(atMs: number, nowMs: number): string {
  const aheadMs = atMs - nowMs;
  return aheadMs < MINUTE_MS ? 'within a minute' : inLargestUnit(aheadMs);
}

/** A day such as `8 Nov`, with its year if that is another one; in the time zone of the page. */
export function dayWords(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...year }).format(at);
}

/** A time of the day such as `10:48`, with its day if that is another one; in the time zone of the page. */
export function clockWords(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(at);
  return at.toDateString() === new Date(nowMs).toDateString() ? time : `${dayWords(atMs, nowMs)}, ${time}`;
}

/** How long something took, such as `320 ms`, `1.4 s` or `2 min 5 s`. */
export function durationWords(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10 * SECOND_MS) return `${(durationMs / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.round(durationMs / SECOND_MS);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const ISO_INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;

/** A sentence of the daemon's about the past, with its instants in words. */
export function withTimesInWords(sentence: string, nowMs: number): string {
  return sentence.replace(ISO_INSTANT, (instant) => timeAgo(Date.parse(instant), nowMs));
}

function inLargestUnit(distanceMs: number): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => Math.abs(distanceMs) >= unitMs) ?? UNITS[2];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(distanceMs / unitMs), unit);
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;
