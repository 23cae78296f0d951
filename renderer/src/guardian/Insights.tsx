import type { Insight } from '../../../src/contract/guardian.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../hooks.ts';
import { goTo, type Place } from '../pages.ts';
import { VisibleText } from '../VisibleText.tsx';
import { InsightCard } from './InsightCard.tsx';
import {
  INSIGHT_TYPE_WORDS,
  INSIGHT_TYPES,
  type InsightFilters,
  insightFilters,
  isListed,
  queryOf,
  SEVERITIES,
  SEVERITY_WORDS,
} from './insight-words.ts';
import { useGuardian } from './use-watch.ts';

/** The insights of Guardian, the latest first. The filters are part of the address. */
export function Insights({ place, model }: { place: Place; model: DashboardModel }) {
  const { dashboard, failure } = useGuardian(model);
  const now = useNow(30_000);
  const filters = insightFilters(place.filters);
  if (dashboard === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  const shown = dashboard.insights.filter((insight) => isListed(insight, filters));
  return (
    <div className="guardian-page">
      <h1>Insights</h1>
      <Filters filters={filters} counts={{ all: dashboard.insights.length, open: openCount(dashboard.insights) }} />
      <p className="visually-hidden" role="status">
        {shown.length === 1 ? '1 insight' : `${shown.length} insights`}
      </p>
      {shown.length === 0 ? (
        <NoInsights filters={filters} hasAny={dashboard.insights.length > 0} />
      ) : (
        <ul className="cards">
          {groupedByRequester(shown).map(({ requester, insights }) => {
            const cards = insights.map((insight) => (
              <InsightCard key={insight.id} insight={insight} now={now} model={model} />
            ));
            if (requester === undefined || insights.length === 1) return cards;
            return (
              <li key={requester} className="insight-group">
                <h2>
                  <VisibleText>{requester}</VisibleText>: {insights.length} insights
                </h2>
                <ul className="cards">{cards}</ul>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

type Group = { requester: string | undefined; insights: Insight[] };

/** Insights whose step is to pause the same requester stand together, at the place of the latest one. */
function groupedByRequester(insights: readonly Insight[]): Group[] {
  const groups = Map.groupBy(insights, ({ id, action }) =>
    action?.kind === 'pause_requester' && action.target !== null ? `requester ${action.target}` : id,
  );
  return [...groups.values()].map((same) => {
    const step = same[0]?.action;
    return {
      requester: step?.kind === 'pause_requester' ? (step.target ?? undefined) : undefined,
      insights: same,
    };
  });
}

function openCount(insights: readonly { status: string }[]): number {
  return insights.filter(({ status }) => status === 'open').length;
}

function NoInsights({ filters, hasAny }: { filters: InsightFilters; hasAny: boolean }) {
  const isNarrow = filters.level !== undefined || filters.type !== undefined;
  if (isNarrow)
    return (
      <p className="hint">
        No insight matches these filters. <a href="#/insights">Show all open insights</a>
      </p>
    );
  return (
    <section className="panel empty-day" aria-labelledby="no-insights-title">
      <h2 id="no-insights-title">{hasAny ? 'No open insights' : 'No insights yet'}</h2>
      <p>
        Guardian looks once a minute and lists here what is unusual: a burst of requests, hurried approvals, a program
        that keeps failing.
      </p>
      {!hasAny && (
        <p>
          To see some, run <code>npm run demo</code>.
        </p>
      )}
    </section>
  );
}

function Filters({ filters, counts }: { filters: InsightFilters; counts: { open: number; all: number } }) {
  const choose = (part: Partial<InsightFilters>) =>
    goTo({ page: 'insights', filters: queryOf({ ...filters, ...part }) }, { replace: true });
  return (
    <fieldset className="filters">
      <legend className="visually-hidden">Filters</legend>
      {(['open', 'all'] as const).map((status) => (
        <button key={status} type="button" aria-pressed={filters.status === status} onClick={() => choose({ status })}>
          {status === 'open' ? `Open (${counts.open})` : `All (${counts.all})`}
        </button>
      ))}
      <label>
        Level{' '}
        <select
          value={filters.level ?? ''}
          onChange={({ target }) => choose({ level: SEVERITIES.find((one) => one === target.value) })}
        >
          <option value="">any</option>
          {SEVERITIES.toReversed().map((level) => (
            <option key={level} value={level}>
              {SEVERITY_WORDS[level]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Type{' '}
        <select
          value={filters.type ?? ''}
          onChange={({ target }) => choose({ type: INSIGHT_TYPES.find((one) => one === target.value) })}
        >
          <option value="">any</option>
          {INSIGHT_TYPES.map((type) => (
            <option key={type} value={type}>
              {INSIGHT_TYPE_WORDS[type]}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}
