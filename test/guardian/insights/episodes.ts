import type { InsightSeverity } from '../../../src/contract/guardian.ts';
import type { Episode } from '../../../src/guardian/insights/episode.ts';
import type { Finding } from '../../../src/guardian/insights/finding.ts';

export function finding(severity: InsightSeverity, subject = 'burst'): Finding {
  return { subject, category: 'safety', severity, title: '60 at once', detail: '', metricTypes: [], evidence: [] };
}

export function episode(severity: InsightSeverity, some: Partial<Episode> = {}): Episode {
  const times = { firstSeenMs: 0, lastSeenMs: 0, count: 1 };
  return { id: 'ins_1', finding: finding(severity), status: 'open', ...times, toldSeverity: null, ...some };
}
