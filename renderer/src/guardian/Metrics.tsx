import type { SeriesPoint } from '../../../src/contract/console-series.ts';
import type { MetricSnapshot, MetricType, Trend } from '../../../src/contract/guardian.ts';
import { METRIC_TYPES, METRICS } from '../../../src/contract/metrics.ts';
import { sinceWords } from '../charts/point-words.ts';
import { Sparkline } from '../charts/Sparkline.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import type { Place } from '../pages.ts';
import { EmptyDay, isEmptyDay } from './EmptyDay.tsx';
import { MetricPage } from './MetricPage.tsx';
import { CATEGORY_WORDS, changeWords, valueWords } from './metric-words.ts';
import { StatusWord } from './StatusWord.tsx';
import { windowNamed } from './time-spans.ts';
import { useGuardian, useWatch } from './use-watch.ts';

/** One metric where the address names one, otherwise all 23. */
export function Metrics({ place, model }: { place: Place; model: DashboardModel }) {
  const type = METRIC_TYPES.find((one) => one === place.subject);
  if (type === undefined) return <AllMetrics model={model} />;
  const window = windowNamed(place.filters.get('window'));
  return <MetricPage key={`${type} ${window}`} type={type} window={window} model={model} />;
}

/** The 23 metrics of the last day, in their five groups. */
function AllMetrics({ model }: { model: DashboardModel }) {
  const { dashboard, failure } = useGuardian(model);
  const series = useWatch(model, () => model.client.series('window=24h&points=25')).value;
  const trends = useWatch(model, model.client.dayTrends).value;
  if (dashboard === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  const hasNoPast = trends?.items.every(({ baseline }) => baseline.median === null);
  const pointsOf = (type: MetricType) => series?.items.find((each) => each.type === type)?.points;
  const known = pointsOf('action_rate')?.map(({ at, value }) => ({ at, isKnown: value !== null })) ?? [];
  const since = series && sinceWords(known, { stepMs: series.stepMs, lengthMs: series.window.length });
  return (
    <div className="guardian-page">
      <h1>Metrics of the last 24 hours</h1>
      <p className="hint">
        {since !== undefined && `There is data ${since}. `}
        {hasNoPast === true && 'After about eight days, each metric is compared with its own past.'}
      </p>
      {isEmptyDay(dashboard) && (
        <EmptyDay what="Each metric shows its value, its course over the day and its change." />
      )}
      {[...Map.groupBy(dashboard.metrics, ({ category }) => category)].map(([category, group]) => (
        <section key={category} aria-labelledby={`metrics-${category}`}>
          <h2 id={`metrics-${category}`}>{CATEGORY_WORDS[category]}</h2>
          <ul className="metric-cards">
            {group.map((metric) => (
              <MetricCard
                key={metric.type}
                metric={metric}
                points={pointsOf(metric.type)}
                trend={trends?.items.find(({ metricType }) => metricType === metric.type)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type CardProps = { metric: MetricSnapshot; points: readonly SeriesPoint[] | undefined; trend: Trend | undefined };

function MetricCard({ metric, points = [], trend }: CardProps) {
  const { type, value, unit, status } = metric;
  const words = valueWords(value, unit);
  const change = changeWords(trend, metric);
  return (
    <li className="metric" data-status={status}>
      <h3>
        <a className="metric-link" href={`#/metrics/${type}`}>
          {METRICS[type].name}
        </a>
      </h3>
      <div className="metric-now">
        <p className="metric-value">{words}</p>
        <Sparkline points={points} label={sparklineWords(points, unit)} />
      </div>
      <p className="hint metric-foot">
        <StatusWord status={status} />
        {change !== undefined && ` · ${change}`}
      </p>
    </li>
  );
}

function sparklineWords(points: readonly SeriesPoint[], unit: MetricSnapshot['unit']): string {
  const values = points.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return 'No values in the last 24 hours';
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `Last 24 hours by hour: from ${valueWords(least, unit)} to ${valueWords(most, unit)}`;
}
