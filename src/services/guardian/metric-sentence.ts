import type { MetricSnapshot, MetricType } from '../../contract/guardian.ts';
import { limitEnd, METRICS } from '../../contract/metrics.ts';
import { worseBy } from '../../guardian/metrics/usual.ts';
import { WRONG_THOUGH_USUAL } from '../../guardian/risk/assess-risk.ts';

/** Controls that failed have sentences of their own. */
export type MetricWithSentence = Exclude<MetricType, 'control_violations'>;

type Facts = Pick<MetricSnapshot, 'unit' | 'target'> & {
  type: MetricWithSentence;
  value: number;
  /** The median in windows of this length on this desktop, in `unit`; `null` without a history. */
  usual: number | null;
};

/**
 * The value of a metric in a sentence, with the median of this desktop, or with its limit where there is no history. The limit is the
 * one that the page tells: where the metric stops being good.
 */
export function metricSentence({ type, value, unit, target, usual }: Facts): string {
  const { green, red } = target;
  const head = headOf(METRICS[type].name);
  if (usual !== null) {
    return `${head}${shown(value, { unit, beside: usual })}; usual here: ${shown(usual, { unit, beside: value })}.`;
  }
  if (green === null || red === null) return `${head}${shown(value, { unit, beside: value })}.`;
  const side = red > green ? 'at most' : 'at least';
  const limit = `${side} ${shown(green, { unit, beside: value })}${limitEnd(type)}`;
  return `${head}${shown(value, { unit, beside: green })}; limit: ${limit}.`;
}

/** The words before the value, such as `Prompts: ` or `The slowest 5 % of tasks took longer than `. */
function headOf(name: string): string {
  return name.endsWith(' than') ? `The ${name.charAt(0).toLowerCase()}${name.slice(1)} ` : `${name}: `;
}

type Cause = Omit<Facts, 'usual'>;

/** A cause of risk in a sentence, with the figure it counts against: the usual where it is worse than that, else its limit. */
export function causeSentence(metric: Cause, usual: number | null): string {
  return metricSentence({ ...metric, usual: isToldByLimit(metric, usual) ? null : usual });
}

/** Whether the sentence of a cause tells a limit. */
export function isToldByLimit({ type, value }: Cause, usual: number | null): boolean {
  if (usual === null || WRONG_THOUGH_USUAL.includes(type)) return true;
  return worseBy(METRICS[type].good, value - usual) <= 0;
}

type Scale = { factor: number; sign: string };

const SCALES: Record<Exclude<MetricSnapshot['unit'], 'ms'>, Scale> = {
  '/h': { factor: 1, sign: ' an hour' },
  count: { factor: 1, sign: '' },
  bits: { factor: 1, sign: ' bits' },
  ratio: { factor: 100, sign: ' %' },
};

const MOST_DIGITS = 4;

/** With one digit after the point, or as many as it takes to tell it from the number beside it. */
function shown(value: number, { unit, beside }: { unit: MetricSnapshot['unit']; beside: number }): string {
  const { factor, sign } = unit === 'ms' ? scaleOfTimes(value, beside) : SCALES[unit];
  let digits = 1;
  while (digits < MOST_DIGITS && (value * factor).toFixed(digits) === (beside * factor).toFixed(digits)) digits += 1;
  return `${Number((value * factor).toFixed(digits))}${sign}`;
}

/** Seconds, but milliseconds where both are below one, and minutes where neither is below one. */
function scaleOfTimes(oneMs: number, otherMs: number): Scale {
  if (Math.max(oneMs, otherMs) < 1_000) return { factor: 1, sign: ' ms' };
  if (Math.min(oneMs, otherMs) < 60_000) return { factor: 0.001, sign: ' s' };
  return { factor: 1 / 60_000, sign: ' min' };
}
