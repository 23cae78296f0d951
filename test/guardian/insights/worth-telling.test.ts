import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InsightSeverity, MetricType } from '../../../src/contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../../src/contract/insight-severities.ts';
import { type Episode, found, gone, isWorse, worthTelling } from '../../../src/guardian/insights/episode.ts';
import type { Finding } from '../../../src/guardian/insights/finding.ts';
import { episode, finding } from './episodes.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 100 * DAY_MS;

const told = (episodes: readonly Episode[], toldAtMs: readonly number[] = []) =>
  worthTelling(episodes, { toldAtMs, nowMs: NOW_MS })?.id;
const named = (id: string, severity: InsightSeverity, some: Partial<Episode> = {}) =>
  episode(severity, { id, ...some });

test('the worst is told first, and of equals what has been so for longest', () => {
  const episodes = [
    named('warning', 'warning'),
    named('later', 'high', { firstSeenMs: 2 }),
    named('earlier', 'high', { firstSeenMs: 1 }),
  ];
  expect(told(episodes)).toBe('earlier');
  expect(told([...episodes, named('critical', 'critical', { firstSeenMs: 3 })])).toBe('critical');
});

test('what is only good to know, known already or over is not told', () => {
  expect(told([])).toBeUndefined();
  expect(told([named('info', 'info')])).toBeUndefined();
  expect(told([named('known', 'high', { status: 'acknowledged' })])).toBeUndefined();
  expect(told([named('over', 'high', { status: 'resolved' })])).toBeUndefined();
});

test('what was told is told again only when it has become worse', () => {
  expect(told([named('same', 'high', { toldSeverity: 'high' })])).toBeUndefined();
  expect(told([named('better', 'warning', { toldSeverity: 'high' })])).toBeUndefined();
  expect(told([named('worse', 'high', { toldSeverity: 'warning' })])).toBe('worse');
});

test('one cause is told once a day, unless it gets worse: a loop brings many prompts and many high-risk actions', () => {
  const of = (severity: InsightSeverity, metricType: MetricType, userId?: string): Finding => ({
    ...finding(severity, metricType),
    metricTypes: [metricType],
    ...(userId !== undefined && { userId }),
  });
  const times = { firstSeenMs: NOW_MS - 1, lastSeenMs: NOW_MS };
  const prompts = (some: Partial<Episode> = {}) =>
    named('prompts', 'warning', {
      finding: of('warning', 'confirmation_prompt_rate', 'ann'),
      toldSeverity: 'warning',
      ...times,
      ...some,
    });
  const surge = (severity: InsightSeverity, userId?: string) =>
    named('surge', severity, { finding: of(severity, 'high_risk_executions', userId), ...times });
  expect(told([prompts(), surge('warning', 'ann')])).toBeUndefined();
  expect(told([prompts(), surge('warning')])).toBeUndefined();
  expect(told([prompts(), surge('high', 'ann')])).toBe('surge');
  expect(told([prompts(), surge('warning', 'ben')])).toBe('surge');
  expect(told([prompts({ firstSeenMs: NOW_MS - DAY_MS }), surge('warning', 'ann')])).toBe('surge');
  expect(told([prompts({ toldSeverity: null, status: 'resolved' }), surge('warning', 'ann')])).toBe('surge');
  const failures = named('failures', 'warning', { finding: of('warning', 'action_success_rate', 'ann'), ...times });
  expect(told([prompts(), failures])).toBe('failures');
});

test('nobody is told of more than three within 24 hours, whatever it is', () => {
  const critical = [named('critical', 'critical')];
  expect(told(critical, [NOW_MS - 1, NOW_MS - 2, NOW_MS - DAY_MS + 1])).toBeUndefined();
  expect(told(critical, [NOW_MS - 1, NOW_MS - 2, NOW_MS - DAY_MS])).toBe('critical');
});

test('the last place of a day is kept for what is high risk', () => {
  const twice = [NOW_MS - 1, NOW_MS - 2];
  expect(told([named('warning', 'warning')], twice)).toBeUndefined();
  expect(told([named('warning', 'warning'), named('high', 'high')], twice)).toBe('high');
});

test('a clock that was set back by months does not silence anything', () => {
  const ahead = NOW_MS + 60 * DAY_MS;
  expect(told([named('high', 'high')], [ahead, ahead, ahead])).toBe('high');
});

/** What is found of three subjects, ten minutes after what was found before. */
const look = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constantFrom(...INSIGHT_SEVERITIES));

test('over days of anything, no 24 hours have more than three, and no news is told twice', () => {
  fc.assert(
    fc.property(fc.array(look, { minLength: 100, maxLength: 500 }), (looks) => {
      const tellings = play(looks);
      for (const { atMs } of tellings) {
        const within = tellings.filter((other) => other.atMs <= atMs && other.atMs > atMs - DAY_MS);
        expect(within.length).toBeLessThanOrEqual(3);
      }
      for (const [index, telling] of tellings.entries()) {
        const before = tellings.slice(0, index).findLast(({ episodeId }) => episodeId === telling.episodeId);
        expect(before === undefined || isWorse(telling.severity, before.severity) || telling.wasNewsAgain).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

type Telling = { atMs: number; episodeId: string; severity: InsightSeverity; wasNewsAgain: boolean };

/** Takes in each look ten minutes after the one before, and tells what is worth it, as the daemon does. */
function play(looks: readonly Record<string, InsightSeverity>[]): Telling[] {
  const episodes = new Map<string, Episode>();
  const tellings: Telling[] = [];
  for (const [index, subjects] of looks.entries()) {
    const atMs = index * 600_000;
    for (const [subject, each] of episodes) episodes.set(subject, gone(each));
    for (const [subject, severity] of Object.entries(subjects)) {
      const before = episodes.get(subject);
      episodes.set(subject, found(before, finding(severity, subject), { atMs, id: subject }));
    }
    const next = worthTelling([...episodes.values()], { toldAtMs: tellings.map((each) => each.atMs), nowMs: atMs });
    if (next === undefined) continue;
    const { severity, subject } = next.finding;
    tellings.push({ atMs, episodeId: next.id, severity, wasNewsAgain: next.toldSeverity === null });
    episodes.set(subject, { ...next, toldSeverity: severity });
  }
  return tellings;
}
