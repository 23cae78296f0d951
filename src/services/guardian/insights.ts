import type { Insight } from '../../contract/guardian.ts';
import type { Facts } from '../../guardian/insights/facts.ts';
import { findInsights } from '../../guardian/insights/find-insights.ts';
import { type Finding, type Sign, signsOf } from '../../guardian/insights/finding.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { InsightFilter } from './guardian-service.ts';
import { createInsightBook } from './insight-book.ts';
import { viewInsight } from './insight-view.ts';
import type { Names, Viewer } from './viewer.ts';
import { MINUTE_MS } from './windows.ts';

type Parts = {
  facts(): Omit<Facts, 'raised'>;
  names: Names;
  /** The person expects what an insight told so far. */
  expected(subject: string): void;
};

/** Looks for insights, and tells the person of them. */
export function createInsights(context: Context, { facts, names, expected }: Parts) {
  const { clock, log } = context;
  const book = createInsightBook(context);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let findings: readonly Finding[] = [];

  function look(): void {
    lookedAtMs = clock.nowMs();
    try {
      findings = findInsights({ ...facts(), raised: book.raised() });
      book.note(findings);
    } catch (error) {
      log.error({ err: error }, 'the insights could not be stored');
    }
  }

  function lookIfDue(): void {
    if (Math.abs(clock.nowMs() - lookedAtMs) >= MINUTE_MS) look();
  }

  return {
    /** What insights add to the risk of a window that ends at a time: those of now, or those that were told then. */
    signsAt(toMs: number): readonly Sign[] {
      if (toMs <= clock.nowMs()) return context.store.insights.signsAt(toMs);
      lookIfDue();
      return signsOf(findings);
    },
    /** Rules are gone through at most once a minute, however often they are asked about. The latest first. */
    list(viewer: Viewer, filter: InsightFilter): Insight[] {
      lookIfDue();
      return book
        .list()
        .map((episode) => viewInsight(episode, names, viewer))
        .filter((insight) => matches(insight, filter))
        .slice(0, filter.limit);
    },
    acknowledge(id: string): Insight | Refusal {
      const episode = book.acknowledge(id);
      if (episode === undefined) return { refused: 'not_found', detail: `There is no insight ${id}.` };
      expected(episode.finding.subject);
      return viewInsight(episode, names, { kind: 'person' });
    },
    /** Looks for insights, and tells the person of a new one; to be called every minute. */
    watch(): void {
      look();
      book.tellNext();
    },
  };
}

function matches(insight: Insight, { severity, category, actionable, sinceMs }: InsightFilter): boolean {
  return (
    (severity === undefined || severity.includes(insight.severity)) &&
    (category === undefined || category.includes(insight.category)) &&
    (actionable === undefined || insight.actionable === actionable) &&
    (sinceMs === undefined || Date.parse(insight.lastSeen) >= sinceMs)
  );
}
