import { useCallback } from 'react';
import type { BreakdownPart, MetricBreakdown } from '../../../src/contract/console-series.ts';
import type { MetricSnapshot, MetricType, Trend } from '../../../src/contract/guardian.ts';
import { METRICS } from '../../../src/contract/metrics.ts';
import { typeWords } from '../activity/activity-words.ts';
import { SeriesChart } from '../charts/SeriesChart.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { CATEGORY_WORDS, changeWords, limitWords, valueWords } from './metric-words.ts';
import { StatusWord } from './StatusWord.tsx';
import { WINDOWS, type WindowName } from './time-spans.ts';
import { useWatch } from './use-watch.ts';

type Props = { type: MetricType; window: WindowName; model: DashboardModel };

const HEADINGS = { requester: 'By requester', type: 'By action type', device: 'By device' } as const;

/** The actions that make up a metric, by requester, type and device, as tables with a bar for each part. */
function Breakdown({ breakdown, window }: { breakdown: MetricBreakdown; window: WindowName }) {
  const { counted, isShare, groups } = breakdown;
  const isByRequesterOnly = groups.length === 1;
  return (
    <section className="panel" aria-labelledby="breakdown-title">
      <h2 id="breakdown-title">Breakdown</h2>
      <p className="hint">
        {counted}, in the last {WINDOWS[window].words}.
        {isByRequesterOnly &&
          ' A task may use several action types and devices, so tasks are told apart by requester only.'}
      </p>
      {groups[0]?.items.length === 0 ? (
        <p>There were none.</p>
      ) : (
        <div className="breakdowns">
          {groups.map(({ by, items, others }) => (
            <PartTable
              key={by}
              heading={HEADINGS[by]}
              items={by === 'type' ? items.map(withTypeWords) : items}
              others={others}
              isShare={isShare}
            />
          ))}
        </div>
      )}
    </section>
  );
}

/** A part without an action type has words already. */
function withTypeWords(part: BreakdownPart): BreakdownPart {
  return part.key === '' ? part : { ...part, name: typeWords(part.name) };
}

type TableProps = { heading: string; items: readonly BreakdownPart[]; others: number; isShare: boolean };

function PartTable({ heading, items, others, isShare }: TableProps) {
  const most = Math.max(1, ...items.map(({ count }) => count));
  return (
    <table className="parts">
      <caption>{heading}</caption>
      <tbody>
        {items.map((part) => (
          <tr key={part.key}>
            <th scope="row">
              <VisibleText>{part.name}</VisibleText>
            </th>
            <td className="part-bar">
              <span
                style={{
                  inlineSize: `${(100 * Math.min(1, isShare ? part.count / Math.max(1, part.total) : part.count / most)).toFixed(1)}%`,
                }}
              />
            </td>
            <td className="number">{isShare ? `${part.count} of ${part.total}` : part.count}</td>
          </tr>
        ))}
        {others > 0 && (
          <tr>
            <td colSpan={3} className="hint">
              and {others} more
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

type Parts = NonNullable<MetricSnapshot['breakdown']>;

/** The parts that Guardian names for the metric itself, such as the kinds of refused attempts. */
function OwnBreakdown({ parts }: { parts: Parts }) {
  const rows = Object.entries(parts).flatMap(([name, value]) =>
    typeof value === 'number'
      ? [[wordsOf(name), value] as const]
      : Object.entries(value).map(([inner, count]) => [`${wordsOf(name)}: ${wordsOf(inner)}`, count] as const),
  );
  if (rows.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="parts-title">
      <h2 id="parts-title">Its parts</h2>
      <table className="parts">
        <tbody>
          {rows.map(([name, count]) => (
            <tr key={name}>
              <th scope="row">
                <VisibleText>{name}</VisibleText>
              </th>
              <td className="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `wrong_console_key` and `wrongConsoleKey` are both `wrong console key`. Names of action types stay as they are. */
function wordsOf(name: string): string {
  return /^[A-Z]/.test(name)
    ? name
    : name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

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
        <h1 id="metric-title">{METRICS[type].name}</h1>
        <p className="metric-value">{words(metric.value)}</p>
        <p className="hint">
          <StatusWord status={metric.status} />
          {joined([limitWords(metric), dayChange(trend, { window, metric }), samples(metric.sampleSize)])}
        </p>
      </header>
      <WindowChoice type={type} window={window} />
      <SeriesChart
        name={METRICS[type].name}
        series={item}
        stepMs={series.value.stepMs}
        lengthMs={series.value.window.length}
        limits={limitsOf(metric)}
        words={words}
      />
      <MetricDefinition type={type} />
      {series.value.breakdown != null && <Breakdown breakdown={series.value.breakdown} window={window} />}
      {metric.breakdown !== undefined && <OwnBreakdown parts={metric.breakdown} />}
      {series.value.breakdown == null && metric.breakdown === undefined && <NoBreakdown />}
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
  const { definition, goodWords } = METRICS[type];
  return (
    <section className="panel" aria-labelledby="definition-title">
      <h2 id="definition-title">What it measures</h2>
      <p>{definition}</p>
      <h3>Good values</h3>
      <p>{goodWords}</p>
    </section>
  );
}

/** Only the time in which the device was ready has no parts. */
function NoBreakdown() {
  return (
    <section className="panel" aria-labelledby="no-breakdown-title">
      <h2 id="no-breakdown-title">Breakdown</h2>
      <p>This metric is about the one agent of this computer, so it has no parts.</p>
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
