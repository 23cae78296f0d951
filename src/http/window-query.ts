import { Type } from 'typebox';
import type { WindowRequest } from '../services/guardian/windows.ts';
import { instant, meaning, type Parameter } from './query.ts';
import type { HttpRefusal } from './refuse.ts';
import { validationFailed } from './validation.ts';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 90 * 86_400_000;

const span = (usually: string): Parameter<number> => ({
  read(came) {
    const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(came) ?? [];
    const lengthMs = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
    return lengthMs > 0 && lengthMs <= LONGEST_MS
      ? { value: lengthMs }
      : { complaint: 'must be a span from 1m to 90d, such as 15m, 24h or 7d' };
  },
  // As a `default` the page of documentation would send it beside `from` and `to`.
  schema: Type.String({
    description: `a span back from now, from 1m to 90d, such as \`15m\`, \`24h\` or \`7d\`; ${usually} by default`,
  }),
});

/** `window`, or `from` and `to`, of everything that is measured over time. */
export function windowParameters(usually: string) {
  return {
    window: span(usually),
    from: meaning(instant(Date.now), 'where the window begins, together with `to` and instead of `window`'),
    to: meaning(instant(Date.now), 'where the window ends, at most 90 days after `from`'),
  };
}

/** The requested window; by default the last `usualMs`. */
export function windowRequest(
  values: { window?: number; from?: number; to?: number },
  usualMs: number,
): WindowRequest | HttpRefusal {
  const { window, from, to } = values;
  if (from === undefined && to === undefined) return { lengthMs: window ?? usualMs };
  if (from === undefined) return refused('from', 'must come together with "to", and without "window"');
  if (to === undefined) return refused('to', 'must come together with "from", and without "window"');
  if (window !== undefined) return refused('window', 'cannot come together with "from" and "to": leave out it or them');
  if (to <= from || to - from > LONGEST_MS) return refused('to', 'must be after "from", by at most 90 days');
  return { fromMs: from, toMs: to };
}

function refused(name: string, message: string): HttpRefusal {
  return validationFailed('query', [{ pointer: `/${name}`, message }]);
}
