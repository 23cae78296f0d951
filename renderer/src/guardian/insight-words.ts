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
