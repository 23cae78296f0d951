import type { MetricSnapshot, Trend } from '../../../src/contract/guardian.ts';
import { limitEnd } from '../../../src/contract/metrics.ts';

export const CATEGORY_WORDS: Record<MetricSnapshot['category'], string> = {
  activity: 'Activity',
  reliability: 'Reliability',
  exposure: 'Exposure',
  oversight: 'Your oversight',
  control: 'Controls',
};

export const STATUS_WORDS: Record<MetricSnapshot['status'], string> = {
  ok: 'OK',
  watch: 'Watch',
  bad: 'Beyond the limit',
  insufficient_data: 'Not enough data',
};

/** A value in its unit, with at most one decimal: `12 /h`, `0.4 bits`, `98 %`, `1.2 s`. */
export function valueWords(value: number | null, unit: MetricSnapshot['unit']): string {
  if (value === null) return '–';
  switch (unit) {
    case '/h':
      return `${oneDecimal(value)} per hour`;
    case 'count':
      return oneDecimal(value);
    case 'bits':
      return oneDecimal(value) === '1' ? '1 bit' : `${oneDecimal(value)} bits`;
    case 'ratio':
      return `${oneDecimal(100 * value)} %`;
    case 'ms':
      return durationWords(value);
  }
}

/** A sign before the words of a status, so that they can be told apart at a glance without colours. */
export const STATUS_SIGNS: Record<MetricSnapshot['status'], string> = {
  ok: '✓',
  watch: '▲',
  bad: '■',
  insufficient_data: '–',
};

/**
 * How a value compares with the past of its metric: `34 % above usual (12 per hour)`; nothing where it has too short a past. The
 * trend was assessed up to an hour ago, so its change may belong to another value than the one shown.
 */
export function changeWords(
  trend: Pick<Trend, 'baseline'> | undefined,
  { value, unit }: Pick<MetricSnapshot, 'value' | 'unit'>,
): string | undefined {
  const median = trend?.baseline.median ?? null;
  if (median === null) return undefined;
  const usual = valueWords(median, unit);
  if (value === null) return `Usually ${usual}`;
  if (valueWords(value, unit) === usual) return `As usual (${usual})`;
  if (usual === valueWords(0, unit)) return `Usually ${usual}`;
  const percent = Math.round((100 * Math.abs(value - median)) / median);
  return percent === 0 ? `As usual (${usual})` : `${percent} % ${value > median ? 'above' : 'below'} usual (${usual})`;
}

/** The limit of a metric where there is one: `Limit: 30`. */
export function limitWords({
  type,
  target,
  unit,
}: Pick<MetricSnapshot, 'type' | 'target' | 'unit'>): string | undefined {
  if (target.green === null) return undefined;
  return `Limit: ${valueWords(target.green, unit)}${limitEnd(type)}`;
}

function durationWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${oneDecimal(ms / 1_000)} s`;
  return `${oneDecimal(ms / 60_000)} min`;
}

const oneDecimal = (value: number) => String(Math.round(10 * value) / 10);
