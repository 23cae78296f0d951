import type { MetricSnapshot } from '../../../src/contract/guardian.ts';
import { STATUS_SIGNS, STATUS_WORDS } from './metric-words.ts';

/** The status of a metric as a sign and a word. */
export function StatusWord({ status }: { status: MetricSnapshot['status'] }) {
  return (
    <span className="metric-status" data-status={status}>
      <span aria-hidden="true">{STATUS_SIGNS[status]}</span> {STATUS_WORDS[status]}
    </span>
  );
}
