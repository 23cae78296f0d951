import { useCallback } from 'react';
import type { MetricSnapshot, MetricType, Trend } from '../../../src/contract/guardian.ts';
import { METRIC_NAMES } from '../../../src/contract/metric-names.ts';
import { SeriesChart } from '../charts/SeriesChart.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { Breakdown, OwnBreakdown } from './Breakdown.tsx';
import { METRIC_TEXTS, NO_PARTS } from './metric-texts.ts';
import { CATEGORY_WORDS, changeWords, limitWords, valueWords } from './metric-words.ts';
import { StatusWord } from './StatusWord.tsx';
import { useWatch } from './use-watch.ts';
import { WINDOWS, type WindowName } from './windows.ts';

type Props = { type: MetricType; window: WindowName; model: DashboardModel };

/** One metric: its value and course over a window, its definition, its good values and its parts. */
export function MetricPage({ type, window, model }: Props) {
  const { points } = WINDOWS[window];
  const query = `metric=${type}&window=${window}&points=${points}&usual=true&breakdown=true`;
  const series = useWatch(model, () => model.client.series(query));
  const metric = useWatch(model, () => model.client.metric(type, window)).value?.items[0];
  const trend = useWatch(model, model.client.dayTrends).value?.items.find(({ metricType }) => metricType === type);
  const unit = metric?.unit ?? 'count';
  const words = useCallback((value: number | null) => valueWords(value, unit), [unit]);
  const item = series.value?.items[0];
  if (metric === undefined || series.value === undefined || item === undefined)
    return <p className="empty">{series.failure?.detail ?? 'Loading…'}</p>;
  return (
    <article className="guardian-page metric-page" aria-labelledby="metric-title">
      <p className="crumbs">
        <a href="#/metrics">Metrics</a> › {CATEGORY_WORDS[metric.category]}
      </p>
      <header className="metric-head" data-status={metric.status}>
        <h1 id="metric-title">{METRIC_NAMES[type]}</h1>
        <p className="metric-value">{words(metric.value)}</p>
        <p className="hint">
          <StatusWord status={metric.status} />
          {joined([limitWords(metric), dayChange(trend, { window, metric }), samples(metric.sampleSize)])}
        </p>
      </header>
      <WindowChoice type={type} window={window} />
      <SeriesChart
        name={METRIC_NAMES[type]}
        series={item}
        stepMs={series.value.stepMs}
        lengthMs={series.value.window.length}
        limits={limitsOf(metric)}
        words={words}
      />
      <MetricDefinition type={type} />
      {series.value.breakdown != null && <Breakdown breakdown={series.value.breakdown} window={window} />}
      {metric.breakdown !== undefined && <OwnBreakdown parts={metric.breakdown} />}
      {series.value.breakdown == null && metric.breakdown === undefined && <NoBreakdown type={type} />}
    </article>
  );
}

function WindowChoice({ type, window }: Pick<Props, 'type' | 'window'>) {
  return (
    <nav className="window-choice" aria-label="Window">
      {(Object.keys(WINDOWS) as WindowName[]).map((name) => (
        <a
          key={name}
          href={`#/metrics/${type}?window=${name}`}
          aria-label={`${name}: the last ${WINDOWS[name].words}`}
          {...(name === window && { 'aria-current': 'true' })}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function MetricDefinition({ type }: Pick<Props, 'type'>) {
  const { definition, good } = METRIC_TEXTS[type];
  return (
    <section className="panel" aria-labelledby="definition-title">
      <h2 id="definition-title">What it measures</h2>
      <p>{definition}</p>
      <h3>Good values</h3>
      <p>{good}</p>
    </section>
  );
}

function NoBreakdown({ type }: Pick<Props, 'type'>) {
  return (
    <section className="panel" aria-labelledby="no-breakdown-title">
      <h2 id="no-breakdown-title">Breakdown</h2>
      <p>{NO_PARTS[type] ?? 'Handrail counts this metric as a whole, not by requester, type or device.'}</p>
    </section>
  );
}

/**
 * The limits of a count are over the whole window, so they say nothing of a part of it; those of a peak do. The limit of elevated
 * requests is for those that asked nobody, and the chart has all of them.
 */
function limitsOf({ type, unit, target }: MetricSnapshot) {
  if (type === 'elevated_action_share') return { green: null, red: null };
  return unit === 'count' && type !== 'action_burst_peak' ? { green: null, red: null } : target;
}

/** Trends over a day are compared with days, so other windows have none. */
function dayChange(trend: Trend | undefined, { window, metric }: { window: WindowName; metric: MetricSnapshot }) {
  return window === '24h' ? changeWords(trend, metric) : undefined;
}

function samples(count: number): string {
  return `${count} ${count === 1 ? 'sample' : 'samples'}`;
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) => ` · ${part}`)
    .join('');
}
