import { expect, it } from 'vitest';
import type { Counter } from '../../../src/contract/counters.ts';
import type { InsightStep } from '../../../src/contract/guardian.ts';
import type { Answer, Facts, LiveGrant, Prompt, Request } from '../../../src/guardian/insights/facts.ts';
import { findInsights } from '../../../src/guardian/insights/find-insights.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { addValue, emptyRollup } from '../../../src/guardian/recording/rollup.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const NOW_MS = 100 * DAY_MS;

/** A history in which a rule speaks, and one that is just not enough for it. */
export type Case = {
  about: string;
  finds: Partial<Facts>;
  not: Partial<Facts>;
  /** Severity and title. */
  says: [string, string];
  /** The actions that show it; none where it is not about actions. */
  shows?: string[];
  /** What a person can do about it, and to what. */
  step?: [InsightStep['kind'], string | null];
  /** Who is meant. */
  of?: string;
};

/** Names and times that are for programs: `in_words_like_this`, `orLikeThis`, `2026-03-01T10:00:00Z`. */
const FOR_PROGRAMS = /\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+[A-Z]\w*|\d{4}-\d\d-\d\dT/;

/** Three tests for each case; in the first two no other rule may speak. */
export function testCases(cases: readonly Case[]): void {
  it.each(cases)('finds $about, and nothing else', ({ finds, says, shows = [], step, of }) => {
    const found = findInsights(factsOf(finds)).map(({ severity, title, evidence, action, userId }) => {
      return { says: [severity, title], shows: evidence, step: action && [action.kind, action.target], of: userId };
    });
    expect(found).toEqual([{ says, shows, step, of }]);
  });

  it.each(cases)('does not make $about of a little less', ({ not }) => {
    expect(findInsights(factsOf(not))).toEqual([]);
  });

  it.each(cases)('tells of $about in words', ({ finds }) => {
    const texts = findInsights(factsOf(finds)).flatMap(({ title, detail, action }) => [title, detail, action?.label]);
    expect(texts.filter((text) => FOR_PROGRAMS.test(text ?? ''))).toEqual([]);
  });
}

/** A day in which nothing happened, but for some facts. */
export function factsOf(some: Partial<Facts>): Facts {
  return {
    nowMs: NOW_MS,
    hour: counted({}),
    day: counted({}),
    requests: [],
    prompts: [],
    answers: [],
    newRequesters: [],
    refusedRequests: [],
    grants: [],
    grantsGiven: { lately: 0, before: 0, daysBefore: 42, days: 0 },
    missingPermissions: [],
    requesters: [],
    effects: [],
    tasks: [],
    drift: { normal: [], lately: [] },
    raised: new Set(),
    ...some,
  };
}

/** What was counted over a time in which the daemon was up. */
export function counted(
  counters: Partial<Record<Counter, number>>,
  more: { burstPeak?: number; responsesMs?: number[]; upMs?: number } = {},
): Recorded {
  const { burstPeak = 0, responsesMs = [], upMs = HOUR_MS } = more;
  const rollup = emptyRollup();
  Object.assign(rollup.counters, counters);
  rollup.burstPeak = burstPeak;
  for (const responseMs of responsesMs) addValue(rollup.responseMs, responseMs);
  return { rollup, upTime: { upMs, unlockedMs: upMs, readyMs: upMs }, lengthMs: upMs };
}

/** One request each for some ids, the newest first, a second apart, the latest just now. */
export function requests(ids: readonly string[], all: Partial<Request> = {}): Request[] {
  return ids.map((actionId, index) => ({
    actionId,
    userId: 'ann',
    actionType: 'OpenApp',
    digest: actionId,
    risk: 'low',
    status: 'success',
    errorCode: null,
    createdAtMs: NOW_MS - 1_000 * index,
    startedAtMs: NOW_MS - 1_000 * index,
    durationMs: 100,
    taskId: null,
    grantId: null,
    planId: null,
    app: null,
    ...all,
  }));
}

/** One prompt each for some ids, the newest first, a second apart, answered ten seconds after they could be. */
export function prompts(ids: readonly string[], all: Partial<Prompt> = {}): Prompt[] {
  return ids.map((actionId, index) => {
    const createdAtMs = NOW_MS - 60_000 - 1_000 * index;
    return {
      actionId,
      userId: 'ann',
      risk: 'medium',
      status: 'allowed',
      createdAtMs,
      answerableAtMs: createdAtMs + 1_000,
      decidedAtMs: createdAtMs + 11_000,
      ...all,
    };
  });
}

/** One allowed prompt each for some ids, the newest first, a minute apart, each of 240 characters and after ten seconds. */
export function answers(ids: readonly string[], all: Partial<Answer> = {}): Answer[] {
  return ids.map((actionId, index) => ({
    actionId,
    userId: 'ann',
    risk: 'medium',
    isAllowed: true,
    decidedAtMs: NOW_MS - MINUTE_MS * (index + 1),
    tookMs: 10_000,
    characters: 240,
    isRepeat: false,
    wasOpenedToEnd: true,
    ...all,
  }));
}

export function grant(some: Partial<LiveGrant>): LiveGrant {
  const used = { useCount: 1, createdAtMs: NOW_MS - DAY_MS, lastUsedAtMs: NOW_MS };
  return { id: 'grt_1', userId: 'ann', actionType: 'OpenApp', scope: 'always', ...used, ...some };
}

/** `a1`, `a2` and so on, or as many as there are letters. */
export function ids(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}
