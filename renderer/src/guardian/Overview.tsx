import { useEffect } from 'react';
import type { OutcomeSeries } from '../../../src/contract/console-series.ts';
import type { Warning } from '../../../src/contract/guardian.ts';
import { afterPaint } from '../after-paint.ts';
import { OutcomeChart, preloadOutcomePlot } from '../charts/OutcomeChart.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { alarmsOf, type InsightAlarm, type WarningAlarm } from './alarms.ts';
import { EmptyDay, isEmptyDay } from './EmptyDay.tsx';
import { InsightCard } from './InsightCard.tsx';
import { DevicesPanel, Oversight, RequestersToday } from './OverviewSide.tsx';
import { RiskPanel } from './RiskPanel.tsx';
import { RANGE_NAMES, RANGES, type RangeName } from './time-spans.ts';
import { useGuardian, useWatch } from './use-watch.ts';
import type { Watched } from './watch.ts';

const MOST_INSIGHTS = 3;

/** Is everything all right? The risk with its causes, the next steps, the last day at a glance, and the answers of the person. */
export function Overview({ model, range }: { model: DashboardModel; range: RangeName }) {
  const { dashboard, failure } = useGuardian(model);
  // Asked for at once, so that they come together with the risk and not after it.
  const outcomes = useWatch(model, () => model.client.outcomes(`window=${range}&points=${RANGES[range].points}`));
  const telemetry = useWatch(model, model.client.dayTelemetry).value;
  const requesters = useWatch(model, model.client.requestersOfToday).value?.items ?? [];
  const devices = useWatch(model, model.client.devices).value?.items;
  useEffect(
    () =>
      afterPaint(() => {
        preloadOutcomePlot();
        return () => undefined;
      }),
    [],
  );
  const now = useNow(30_000);
  if (dashboard === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  const { toDo, insights } = alarmsOf(dashboard);
  return (
    <div className="guardian-page overview">
      <h1>Overview</h1>
      {isEmptyDay(dashboard) && <EmptyDay what="The risk, its causes and every action by its outcome appear here." />}
      <div className="overview-row">
        <RiskPanel dashboard={dashboard} now={now} model={model} />
        <DayStrip outcomes={outcomes} range={range} />
      </div>
      <div className="overview-row">
        <ToDo alarms={toDo} now={now} />
        <OpenInsights alarms={insights} now={now} model={model} />
        <RequestersToday requesters={requesters} told={dashboard.risk.contributors.map(({ message }) => message)} />
        <div className="overview-row overview-last">
          <Oversight metrics={dashboard.metrics} telemetry={telemetry} />
          <DevicesPanel devices={devices} model={model} />
        </div>
      </div>
    </div>
  );
}

/** The actions of the range by outcome. */
function DayStrip({ outcomes, range }: { outcomes: Watched<OutcomeSeries>; range: RangeName }) {
  const { value, failure } = outcomes;
  return (
    <section className="panel day-strip" aria-labelledby="day-title">
      <header>
        <h2 id="day-title">Actions and prompts</h2>
        <RangeLinks current={range} />
      </header>
      {value === undefined ? <p className="hint">{failure?.detail ?? 'Loading…'}</p> : <OutcomeChart series={value} />}
    </section>
  );
}

function RangeLinks({ current }: { current: RangeName }) {
  return (
    <nav className="views" aria-label="Range of the chart">
      {RANGE_NAMES.map((name) => (
        <a
          key={name}
          href={addressOf({ page: 'overview', filters: new URLSearchParams(name === '24h' ? {} : { window: name }) })}
          {...(name === current && { 'aria-current': 'page' as const })}
        >
          {RANGES[name].words}
        </a>
      ))}
    </nav>
  );
}

function ToDo({ alarms, now }: { alarms: readonly WarningAlarm[]; now: number }) {
  if (alarms.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="todo-title">
      <h2 id="todo-title">Needs your attention</h2>
      <ul className="cards">
        {alarms.map(({ cause, warnings }) => (
          <li key={cause} className="alarm">
            {warnings.map((warning) => (
              <WarningRow key={`${warning.metricType} ${warning.message}`} warning={warning} now={now} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function WarningRow({ warning, now }: { warning: Warning; now: number }) {
  const { status, message, since, metricType } = warning;
  const text = <VisibleText>{message}</VisibleText>;
  return (
    <p className="warning-row" data-status={status}>
      <span>
        <span className="warning-sign" aria-hidden="true">
          {status === 'bad' ? '■' : '▲'}
        </span>{' '}
        {metricType === null ? text : <a href={`#/metrics/${metricType}`}>{text}</a>}
      </span>{' '}
      <span className="hint">since {timeAgo(Date.parse(since), now)}</span>
    </p>
  );
}

type OpenInsightsProps = { alarms: readonly InsightAlarm[]; now: number; model: DashboardModel };

function OpenInsights({ alarms, now, model }: OpenInsightsProps) {
  if (alarms.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="open-insights-title">
      <h2 id="open-insights-title">Open insights</h2>
      <ul className="cards">
        {alarms.slice(0, MOST_INSIGHTS).map(({ insight, also }) => (
          <InsightCard key={insight.id} insight={insight} also={also} now={now} model={model} />
        ))}
      </ul>
      {alarms.length > MOST_INSIGHTS && <a href="#/insights">Show all {alarms.length}</a>}
    </section>
  );
}
