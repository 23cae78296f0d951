import type { Insight } from '../../contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../contract/insight-severities.ts';
import { type Episode, found, gone, worthTelling } from '../../guardian/insights/episode.ts';
import type { Facts } from '../../guardian/insights/facts.ts';
import { findInsights } from '../../guardian/insights/find-insights.ts';
import { type Finding, REQUESTER, type Sign, signsOf } from '../../guardian/insights/finding.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import type { InsightFilter } from './guardian-service.ts';
import { MINUTE_MS } from './time-windows.ts';
import type { Names, Viewer } from './viewer.ts';

type Parts = {
  facts(): Omit<Facts, 'raised'>;
  names: Names;
  /** The person expects what an insight told so far. */
  expected(subject: string): void;
};

const KEPT_MS = 7 * 86_400_000;
const MOST = 500;
const TOLD = 'insightsToldAtMs';
const MOST_TOLD_REMEMBERED = 10;

/** An insight under the names its reader knows. */
function viewInsight({ finding, ...episode }: Episode, names: Names, viewer: Viewer): Insight {
  const { subject: _subject, userId, action, ...rest } = finding;
  const user = userId === undefined ? '' : names.user(viewer, userId);
  const named = (text: string) => withName(text, user);
  return {
    id: episode.id,
    ...rest,
    title: named(rest.title),
    detail: named(rest.detail),
    actionable: action !== undefined,
    ...(action !== undefined && {
      action: { ...action, label: named(action.label), target: action.target && named(action.target) },
    }),
    firstSeen: timestamp(episode.firstSeenMs),
    lastSeen: timestamp(episode.lastSeenMs),
    count: episode.count,
    status: episode.status,
  };
}

/** A text of a finding with the name of its requester. A name that looks like a placeholder stays as it is. */
export function withName(text: string, user: string): string {
  return text.replaceAll(REQUESTER, () => user);
}

/**
 * Findings as they are seen again and again: the same subject is one insight. Kept for a week after it was last seen. Every verb
 * throws StorageUnavailable where the storage does not take the change; `note` has then taken it in all the same.
 */
export function createInsightBook({ store, clock, newId }: Context) {
  let signs = store.insights.signsAt(Number.MAX_SAFE_INTEGER);
  let episodes = new Map(store.insights.all().map((episode) => [episode.finding.subject, episode]));

  /** What is told stays known for every window that ends now, also when it is over. */
  function noteSigns(atMs: number, next: readonly Sign[]): void {
    if (JSON.stringify(next) === JSON.stringify(signs)) return;
    store.write('relaxed', () => store.insights.putSigns(atMs, next));
    signs = [...next];
  }

  function replace(episode: Episode, also: () => void): void {
    store.write('relaxed', () => {
      store.insights.put(episode);
      also();
    });
    episodes = new Map([...episodes, [episode.finding.subject, episode]]);
  }

  function tell(episode: Episode, toldAtMs: readonly number[]): void {
    const { id, finding } = episode;
    const { severity, category, userId } = finding;
    const nowMs = clock.nowMs();
    replace({ ...episode, toldSeverity: severity }, () => {
      store.settings.set(TOLD, [...toldAtMs, nowMs].slice(-MOST_TOLD_REMEMBERED));
      const title = withName(finding.title, userId ?? '');
      const metadata = { insightId: id, severity, category, title };
      store.journal.append(nowMs, { kind: 'insight.told', userId, metadata });
    });
  }

  return {
    /** Records the current findings; an open insight that is not among them is resolved. */
    note(findings: readonly Finding[]): void {
      const atMs = clock.nowMs();
      const next = new Map([...episodes].map(([subject, each]) => [subject, gone(each)]));
      for (const finding of findings) {
        const before = episodes.get(finding.subject);
        next.set(finding.subject, found(before, finding, { atMs, id: before?.id ?? newId('ins') }));
      }
      const before = episodes;
      episodes = stillKept(next, atMs);
      storeChanges(store, before, episodes);
      noteSigns(atMs, signsOf(findings));
    },
    /** The subjects of the warnings that are given now. */
    raised: (): ReadonlySet<string> =>
      new Set([...episodes.values()].filter(isRaised).map(({ finding }) => finding.subject)),
    /** Tells the person of the next insight, as an event; at most one at a time and three a day. */
    tellNext(): void {
      const toldAtMs = numbersIn(store.settings.get(TOLD));
      const next = worthTelling([...episodes.values()], { toldAtMs, nowMs: clock.nowMs() });
      if (next !== undefined) tell(next, toldAtMs);
    },
    /** The person knows of it; nothing where there is no such insight. */
    acknowledge(id: string): Episode | undefined {
      const episode = [...episodes.values()].find((each) => each.id === id);
      if (episode === undefined || episode.status !== 'open') return episode; // guard E2-37
      const acknowledged: Episode = { ...episode, status: 'acknowledged' };
      replace(acknowledged, () =>
        store.journal.append(clock.nowMs(), { kind: 'insight.acknowledged', metadata: { insightId: id } }),
      );
      return acknowledged;
    },
    /** The latest first, of those the worst, and then the oldest. */
    list: (): Episode[] => [...episodes.values()].toSorted(latestFirst),
  };
}

function isRaised({ status, finding }: Episode): boolean {
  return status !== 'resolved' && finding.severity !== 'info';
}

function latestFirst(one: Episode, other: Episode): number {
  return other.lastSeenMs - one.lastSeenMs || severityRank(other) - severityRank(one) || (one.id < other.id ? -1 : 1);
}

function severityRank({ finding }: Episode): number {
  return INSIGHT_SEVERITIES.indexOf(finding.severity);
}

type Episodes = ReadonlyMap<string, Episode>;

function storeChanges(store: Context['store'], before: Episodes, after: Episodes): void {
  const changed = [...after.values()].filter((episode) => before.get(episode.finding.subject) !== episode);
  const left = [...before.values()].filter(({ finding }) => !after.has(finding.subject));
  if (changed.length + left.length === 0) return;
  store.write('relaxed', () => {
    for (const episode of changed) store.insights.put(episode);
    for (const { id } of left) store.insights.remove(id);
  });
}

/** The insights seen within the last week; if there are too many, the latest of them. */
function stillKept(episodes: Episodes, atMs: number): Map<string, Episode> {
  const lately = [...episodes].filter(([, { lastSeenMs }]) => atMs - lastSeenMs <= KEPT_MS);
  const bySeen = lately.toSorted(([, one], [, other]) => other.lastSeenMs - one.lastSeenMs);
  return new Map(bySeen.slice(0, MOST));
}

function numbersIn(stored: unknown): number[] {
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'number') : [];
}

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
    if (Math.abs(clock.nowMs() - lookedAtMs) >= MINUTE_MS) look(); // guard E2-44
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
