const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** When a part of a window was: its time of day, with the day where the window is longer than one, or its day alone. */
export function timeWords(at: string | number, { stepMs, lengthMs }: { stepMs: number; lengthMs: number }): string {
  const date = new Date(at);
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' }).format(date);
  if (stepMs >= DAY_MS) return day;
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(date);
  return lengthMs > 2 * DAY_MS ? `${day}, ${time}` : time;
}

type Point = { at: string; isKnown: boolean };

/** Since when a chart has data, such as `since 13:00`; nothing where its first part has some, or none has. */
export function sinceWords(points: readonly Point[], span: { stepMs: number; lengthMs: number }): string | undefined {
  const first = points.find(({ isKnown }) => isKnown);
  return first === undefined || first === points[0] ? undefined : `since ${timeWords(first.at, span)}`;
}

/** The length of a part in words, such as `5 minutes` or `hour`. */
export function stepWords(stepMs: number): string {
  const [unitMs, name] =
    stepMs >= DAY_MS ? [DAY_MS, 'day'] : stepMs >= 60 * MINUTE_MS ? [60 * MINUTE_MS, 'hour'] : [MINUTE_MS, 'minute'];
  const count = Math.round(stepMs / Number(unitMs));
  return count === 1 ? String(name) : `${count} ${name}s`;
}
