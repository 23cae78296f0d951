import type { Insight } from '../../../src/contract/guardian.ts';
import { METRIC_NAMES } from '../../../src/contract/metric-names.ts';
import type { GuardianDashboard, RiskCause, RiskContributor } from '../../../src/contract/risk.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { insightBehind } from './alarms.ts';
import { StepButton } from './StepButton.tsx';

const LEVEL_WORDS: Record<GuardianDashboard['risk']['level'], string> = {
  low: 'Low risk',
  moderate: 'Moderate risk',
  high: 'High risk',
  critical: 'Critical risk',
};
const DAY_MS = 86_400_000;

type Props = { dashboard: GuardianDashboard; now: number; model: DashboardModel };

/** The risk of the last day with its level and its causes, the largest first. */
export function RiskPanel({ dashboard: { risk, insights }, now, model }: Props) {
  const { score, level, confidence, contributors, known, history } = risk;
  return (
    <section className="panel risk-panel" data-level={level} aria-labelledby="risk-title">
      <div className="risk-head">
        <h2 id="risk-title">
          {LEVEL_WORDS[level]} <span className="risk-score">{Math.round(score)} of 100</span>
        </h2>
        <RiskHistory history={history} />
      </div>
      <div className="risk-scale" aria-hidden="true">
        <span style={{ inlineSize: `${Math.max(1, score)}%` }} />
      </div>
      <p className="hint">
        {contributors.length === 0 ? 'Nothing unusual' : 'Largest causes first'} · last 24 hours · data for{' '}
        {Math.round(100 * confidence)} % of the checks
      </p>
      {contributors.length > 0 && (
        <ul className="contributors">
          {contributors.map((contributor) => (
            <ContributorRow
              key={contributor.cause}
              contributor={contributor}
              insight={insightBehind(contributor, insights)}
              now={now}
              model={model}
            />
          ))}
        </ul>
      )}
      {known.map(({ cause, until }) => (
        <p key={cause} className="hint">
          Muted until {new Date(until).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}:{' '}
          {causeWords(cause)}.{' '}
          <button
            type="button"
            className="quiet"
            onClick={() => void model.act(model.client.forgetKnownCause(cause)).then(model.guardian.load)}
          >
            Unmute
          </button>
        </p>
      ))}
    </section>
  );
}

function causeWords(cause: RiskCause): string {
  if (cause === 'requesters') return 'Requesters that do what they never did before';
  return cause === 'controls_held' ? 'Attempts that were refused' : METRIC_NAMES[cause];
}

type RowProps = { contributor: RiskContributor; insight: Insight | undefined; now: number; model: DashboardModel };

function ContributorRow({ contributor, insight, now, model }: RowProps) {
  const { cause, points, message, metricType, source, last, action } = contributor;
  const until = () => new Date(Date.now() + DAY_MS).toISOString();
  return (
    <li className="contributor">
      <p>
        <strong className="points">+{points}</strong>{' '}
        <a href={`#/metrics/${metricType}`}>
          <VisibleText>{message}</VisibleText>
        </a>
      </p>
      {(source !== null || last !== null) && (
        <p className="hint">
          {source !== null && (
            <>
              from {source.kind} <VisibleText>{source.name}</VisibleText>
            </>
          )}
          {source !== null && last !== null && ' · '}
          {last !== null && `last ${timeAgo(Date.parse(last), now)}`}
        </p>
      )}
      <div className="insight-actions">
        <StepButton step={action} model={model} />
        {insight !== undefined && <a href={`#/insights?type=${insight.category}`}>See the insight</a>}
        <button
          type="button"
          className="quiet"
          onClick={() => void model.act(model.client.markKnownCause(cause, until())).then(model.guardian.load)}
        >
          Expected. Mute for a day
        </button>
      </div>
    </li>
  );
}

type History = GuardianDashboard['risk']['history'];

const WIDTH = 240;
const HEIGHT = 36;
const MOST = 100;

/** The score of the latest windows as bars, oldest first. A window in which the daemon was off has no bar. */
export function RiskHistory({ history }: { history: History }) {
  const step = WIDTH / Math.max(1, history.length);
  const known = history.flatMap(({ score }) => score ?? []);
  // One score is the score of now, which is told in words.
  if (known.length < 2) return null;
  const label = `Risk over time: ${known.map(Math.round).join(', ')}, the latest score last`;
  return (
    <svg className="risk-history" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {history.map(({ at, score }, index) => {
        if (score === null) return null;
        const height = Math.max(1, (score / MOST) * HEIGHT);
        return <rect key={at} x={index * step + 1} y={HEIGHT - height} width={step - 2} height={height} rx={1} />;
      })}
    </svg>
  );
}
