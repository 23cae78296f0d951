import { describe, expect, test } from 'vitest';
import { type Facts, GRANTS_COUNTED, LOOKED_AT, type Prompt } from '../../../src/guardian/insights/facts.ts';
import { findInsights } from '../../../src/guardian/insights/find-insights.ts';
import { answers, counted, DAY_MS, factsOf, ids, NOW_MS, prompts, requests } from './history.ts';

/** The severities of all findings. */
const severities = (facts: Partial<Facts>) => findInsights(factsOf(facts)).map(({ severity }) => severity);

const MINUTE_MS = 60_000;
const failing = { digest: 'same', status: 'failed' } as const;
const newcomers = (count: number) => ({
  newRequesters: ids('u', count).map((userId) => ({ userId, firstSeenAtMs: NOW_MS })),
  requests: ids('u', count).flatMap((userId) => requests([`of ${userId}`], { userId })),
});
const given = (lately: number, before: number) => ({ lately, before, daysBefore: 42, days: 0 });
const told = new Set(['grant_growth']);

test.each<[string, Partial<Facts>, string[]]>([
  ['119 prompts in an hour', { hour: counted({ prompted: 119 }) }, ['info']],
  ['14 actions without undo in an hour', { hour: counted({ executedIrreversible: 14 }) }, []],
  ['15 actions without undo in an hour', { hour: counted({ executedIrreversible: 15 }) }, ['warning']],
  ['120 prompts in an hour', { hour: counted({ prompted: 120 }) }, ['high']],
  ['four prompts that expired', { day: counted({ promptExpired: 4, prompted: 4 }) }, []],
  ['five prompts that expired', { day: counted({ promptExpired: 5, prompted: 5 }) }, ['warning']],
  ['four attempts in vain', { requests: requests(ids('a', 4), failing) }, []],
  ['five attempts in vain', { requests: requests(ids('a', 5), failing) }, ['warning']],
  [
    'five attempts in vain in ten minutes',
    { requests: requests(ids('a', 5), { ...failing, createdAtMs: NOW_MS - 10 * MINUTE_MS + 1 }) },
    ['warning'],
  ],
  [
    'five attempts in vain before that',
    { requests: requests(ids('a', 5), { ...failing, createdAtMs: NOW_MS - 10 * MINUTE_MS }) },
    [],
  ],
  ['five new requesters', newcomers(5), new Array<string>(5).fill('info')],
  ['six new requesters', newcomers(6), ['warning']],
  ['one attempt of another OS user', { day: counted({ osUserRefused: 1 }) }, ['info']],
  ['one wrong key of the console', { day: counted({ consoleKeyRefused: 1 }) }, ['warning']],
  ['nine grants, and four before', { grantsGiven: given(9, 4) }, ['warning']],
  ['eight grants, and three before', { grantsGiven: given(8, 3) }, []],
  ['six grants, and three before, told already', { grantsGiven: given(6, 3), raised: told }, ['warning']],
  ['four grants, told already', { grantsGiven: given(4, 0), raised: told }, ['warning']],
  ['four grants, and one before, told already', { grantsGiven: given(4, 1), raised: told }, []],
  ['three grants, and none before, told already', { grantsGiven: given(3, 0), raised: told }, []],
])('%s', (_what, facts, expected) => {
  expect(severities(facts)).toEqual(expected);
});

test.each<[string, number, (count: number) => Partial<Facts>]>([
  [
    'requesters that the person denies',
    10,
    (count) => ({ prompts: ids('u', count).flatMap((userId) => prompts(ids('p', 3), { userId, status: 'denied' })) }),
  ],
  [
    'requesters that are refused',
    10,
    (count) => ({
      refusedRequests: ids('u', count).map((userId) => ({ userId, capability: 'canOpenApps', times: 5 })),
    }),
  ],
  [
    'loops',
    5,
    (count) => ({ requests: ids('d', count).flatMap((digest) => requests(ids(digest, 5), { ...failing, digest })) }),
  ],
])('of %s %d are told', (_what, most, of) => {
  const found = (count: number) => findInsights(factsOf(of(count))).length;
  expect([found(most), found(most + 1)]).toEqual([most, most]);
});

describe('denials', () => {
  /** A user's answers, newest first. */
  function answered(pattern: string): Prompt[] {
    return [...pattern].flatMap((letter, index) =>
      prompts([`p${index}`], { status: letter === 'n' ? 'denied' : 'allowed', decidedAtMs: NOW_MS - 1_000 * index }),
    );
  }

  /** Answers of earlier days, of which the first few were denials. */
  const earlier = (count: number, denied: number) =>
    answers(ids('e', count)).map((answer, index) => ({
      ...answer,
      isAllowed: index >= denied,
      decidedAtMs: NOW_MS - DAY_MS - index * 20 * MINUTE_MS,
    }));

  test.each<[string, number, number, string[]]>([
    ['nnnny', 100, 0, ['info']],
    ['nnnnny', 100, 0, ['warning']],
    // The fifth denial is the twentieth answer, and the twenty-first.
    ['ynyynyyynyyynyyyyyyn', 160, 0, ['warning']],
    ['ynyynyyynyyynyyyyyyyn', 160, 0, []],
    // A row of five is as improbable as 1.5 and 2.3 in 100,000.
    ['nnnnny', 100, 11, ['warning']],
    ['nnnnny', 100, 12, ['info']],
    // Five of six are as improbable as 1.1 and 2.8 in a million.
    ['ynnnnn', 100, 4, ['warning']],
    ['ynnnnn', 100, 5, []],
    // Without earlier answers one in ten is expected to be a denial.
    ['ynnnnnn', 0, 0, []],
    ['ynnnnnnn', 0, 0, ['warning']],
  ])('%s after %d answers with %d denials', (pattern, count, denied, expected) => {
    expect(severities({ prompts: answered(pattern), answers: earlier(count, denied) })).toEqual(expected);
  });
});

test('of a full list it is said that there are at least so many', () => {
  const title = (facts: Partial<Facts>) => findInsights(factsOf(facts))[0]?.title;
  const ofOne = (count: number) => title({ ...newcomers(1), requests: requests(ids('a', count), { userId: 'u1' }) });
  expect([ofOne(499), ofOne(500)]).toEqual([
    'New requester: {requester}, 499 requests so far',
    'New requester: {requester}, at least 500 requests so far',
  ]);
  expect([49, 50].map((count) => title(newcomers(count)))).toEqual([
    '49 new requesters in a day',
    'At least 50 new requesters in a day',
  ]);
});

test('this much is looked at of each list, and grants are counted over these days', () => {
  expect(LOOKED_AT).toEqual({
    requests: 500,
    prompts: 500,
    answers: 600,
    newRequesters: 50,
    refusedRequests: 500,
    grants: 500,
  });
  expect(GRANTS_COUNTED).toEqual({ latelyDays: 14, mostDaysBefore: 42, spreadDays: 21 });
});
