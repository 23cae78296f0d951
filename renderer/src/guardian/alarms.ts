import type { Insight, Warning } from '../../../src/contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../../src/contract/insight-severities.ts';
import { causeOf, METRICS } from '../../../src/contract/metrics.ts';
import type { GuardianDashboard, RiskContributor } from '../../../src/contract/risk.ts';

/** Warnings with one cause, as one entry of the list. */
export type WarningAlarm = { cause: string; warnings: Warning[] };

/** The worst open insight of a cause; `also`: the titles of its other insights, and its warnings. */
export type InsightAlarm = { cause: string; insight: Insight; also: string[] };

/**
 * The entries of the overview below the risk, one for each cause. A loop of actions may bring a burst, many prompts and a warning;
 * it is one entry. Warnings about the causes of the risk, and insights with the sentence of one, are left out, because the page has them
 * just above with their next steps.
 */
export function alarmsOf({ warnings, insights, risk }: Pick<GuardianDashboard, 'warnings' | 'insights' | 'risk'>): {
  toDo: WarningAlarm[];
  insights: InsightAlarm[];
} {
  const news = warnings.filter(({ metricType }) => risk.contributors.every((cause) => cause.metricType !== metricType));
  const ofWarnings = Map.groupBy(news, causeOfWarning);
  const isTold = (insight: Insight) => risk.contributors.some((contributor) => isToldBy(contributor, insight));
  const open = insights.filter((each) => each.status === 'open' && each.severity !== 'info' && !isTold(each));
  const alarms = [...Map.groupBy(open, sourceOf).values()].flatMap(alarmOf);
  return {
    toDo: [...ofWarnings].flatMap(([cause, alike]) =>
      alarms.some((alarm) => alarm.cause === cause) ? [] : { cause, warnings: alike },
    ),
    insights: alarms.map((alarm, index) => {
      const isFirst = alarms.findIndex(({ cause }) => cause === alarm.cause) === index;
      const warned = isFirst ? (ofWarnings.get(alarm.cause) ?? []) : [];
      return { ...alarm, also: [...alarm.also, ...warned.map(({ message }) => message)] };
    }),
  };
}

/** The open insight that a cause of the risk tells, or else one about the same metric. */
export function insightBehind(contributor: RiskContributor, insights: readonly Insight[]): Insight | undefined {
  const { metricType } = contributor;
  const open = insights.filter(({ status, metricTypes }) => status === 'open' && metricTypes.includes(metricType));
  return open.find((insight) => isToldBy(contributor, insight)) ?? open[0];
}

/** The sentence of the cause is that of the insight. */
function isToldBy({ message }: RiskContributor, { title }: Insight): boolean {
  return message === `${title}.`;
}

/** Insights with one cause and one source. */
function alarmOf(alike: readonly Insight[]): InsightAlarm[] {
  const [insight, ...others] = alike.toSorted((one, other) => rank(other) - rank(one));
  return insight === undefined
    ? []
    : [{ cause: causeOfInsight(insight), insight, also: others.map(({ title }) => title) }];
}

function causeOfWarning({ metricType, message }: Warning): string {
  return metricType === null ? message : METRICS[metricType].cause;
}

function causeOfInsight({ metricTypes, id }: Insight): string {
  return causeOf(metricTypes) ?? id;
}

/** The cause, and the target of the next step: insights about two requesters have two next steps, so both are listed. */
function sourceOf(insight: Insight): string {
  const { action } = insight;
  const target = action === undefined || action.kind === 'inspect' ? '' : (action.target ?? '');
  return `${causeOfInsight(insight)} ${target}`;
}

function rank({ severity }: Insight): number {
  return INSIGHT_SEVERITIES.indexOf(severity);
}
