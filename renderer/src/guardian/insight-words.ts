import type { Insight } from '../../../src/contract/guardian.ts';

export const SEVERITY_WORDS: Record<Insight['severity'], string> = {
  info: 'Note',
  warning: 'Warning',
  high: 'Important',
  critical: 'Critical',
};

export const INSIGHT_TYPE_WORDS: Record<Insight['category'], string> = {
  safety: 'Safety',
  oversight: 'Your oversight',
  reliability: 'Reliability',
  performance: 'Speed',
  privacy: 'Privacy',
  integrity: 'Integrity',
  device: 'Device',
};

/** The words above name every value, so that the page needs no schemas to list them. From the least to the most severe. */
export const SEVERITIES = Object.keys(SEVERITY_WORDS) as Insight['severity'][];
export const INSIGHT_TYPES = Object.keys(INSIGHT_TYPE_WORDS) as Insight['category'][];

/** Which insights are listed. `undefined` stands for all levels or types. */
export type InsightFilters = {
  status: 'open' | 'all';
  level: Insight['severity'] | undefined;
  type: Insight['category'] | undefined;
};

/** Reads the filters of an address. Unknown values count as absent. */
export function insightFilters(query: URLSearchParams): InsightFilters {
  return {
    status: query.get('status') === 'all' ? 'all' : 'open',
    level: SEVERITIES.find((one) => one === query.get('level')),
    type: INSIGHT_TYPES.find((one) => one === query.get('type')),
  };
}

/** The part of the address for some filters; empty for the usual ones. */
export function queryOf({ status, level, type }: InsightFilters): URLSearchParams {
  return new URLSearchParams({
    ...(status === 'all' && { status }),
    ...(level !== undefined && { level }),
    ...(type !== undefined && { type }),
  });
}

export function isListed(insight: Insight, { status, level, type }: InsightFilters): boolean {
  return (
    (status === 'all' || insight.status === 'open') &&
    (level === undefined || insight.severity === level) &&
    (type === undefined || insight.category === type)
  );
}
