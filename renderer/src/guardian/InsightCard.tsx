import type { Insight } from '../../../src/contract/guardian.ts';
import { METRICS } from '../../../src/contract/metrics.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { INSIGHT_TYPE_WORDS, SEVERITY_WORDS } from './insight-words.ts';
import { StepButton } from './StepButton.tsx';

type Props = { insight: Insight; also?: readonly string[]; now: number; model: DashboardModel };

/** An insight with its evidence and the next step. `also`: the titles of other insights with the same cause. */
export function InsightCard({ insight, also = [], now, model }: Props) {
  const { id, category, severity, title, detail, metricTypes, action, firstSeen, lastSeen, status } = insight;
  return (
    <li className="insight" data-severity={severity} data-status={status}>
      <p className="insight-meta">
        <span className="severity">{SEVERITY_WORDS[severity]}</span> · {INSIGHT_TYPE_WORDS[category]} · first seen{' '}
        {timeAgo(Date.parse(firstSeen), now)}, last {timeAgo(Date.parse(lastSeen), now)}
        {status === 'resolved' && ' · over'}
        {status === 'acknowledged' && ' · you know about it'}
      </p>
      <h3>
        <VisibleText>{title}</VisibleText>
      </h3>
      <p>
        <VisibleText>{detail}</VisibleText>
      </p>
      {also.length > 0 && (
        <ul className="also">
          {also.map((text) => (
            <li key={text}>
              <VisibleText>{text}</VisibleText>
            </li>
          ))}
        </ul>
      )}
      <Evidence actionIds={insight.evidence} />
      <div className="insight-actions">
        <StepButton step={action} model={model} />
        {metricTypes.map((type) => (
          <a key={type} href={`#/metrics/${type}`}>
            {METRICS[type].name}
          </a>
        ))}
        {status === 'open' && (
          <button
            type="button"
            className="quiet"
            onClick={() => void model.act(model.client.acknowledgeInsight(id)).then(model.guardian.load)}
          >
            Mark as read
          </button>
        )}
      </div>
    </li>
  );
}

/** Links to the actions that show it. An id says nothing to a person, so they are numbered, newest first. */
function Evidence({ actionIds }: { actionIds: readonly string[] }) {
  if (actionIds.length === 0) return null;
  return (
    <details>
      <summary>
        {actionIds.length === 1 ? 'The action that shows it' : `The ${actionIds.length} latest actions that show it`}
      </summary>
      <ol className="evidence">
        {actionIds.map((actionId, index) => (
          <li key={actionId}>
            <a href={`#/activity/${actionId}`} title={actionId}>
              Action {index + 1}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
