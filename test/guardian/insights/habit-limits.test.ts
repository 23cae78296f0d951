import { expect, test } from 'vitest';
import type { Answer } from '../../../src/guardian/insights/facts.ts';
import {
  answersOfDays,
  demandOf,
  latestAnswers,
  leastCareMs,
  readingMs,
  rubberStamping,
} from '../../../src/guardian/insights/rubber-stamping.ts';
import { inTimeZone } from '../time-zone.ts';
import { answers, DAY_MS, ids, NOW_MS } from './history.ts';

test('240 words of six characters are read in a minute', () => {
  expect([readingMs(240), readingMs(1_440)]).toEqual([10_000, 60_000]);
});

test.each([
  [100, 4_166.666_667],
  [200, 4_600],
  [552, 4_600],
  [700, 5_833.333_333],
  [720, 6_000],
  [5_000, 6_000],
])('a prompt of %d characters was hardly considered in less than %d ms', (characters, leastMs) => {
  expect(leastCareMs({ characters })).toBeCloseTo(leastMs, 5);
});

test('what a prompt asks of a person grows with its length and its risk, and is a third where it is known', () => {
  const demands = (['low', 'medium', 'high', 'critical'] as const).map((risk) =>
    demandOf({ characters: null, isRepeat: false, risk }),
  );
  expect(demands).toEqual([240, 240, 360, 480]);
  expect(demandOf({ characters: 300, isRepeat: true, risk: 'low' })).toBeCloseTo(100, 9);
});

test('a habit is judged by three days with answers, or by 40 answers', () => {
  const daily = answers(ids('a', 60)).map((answer, index) => ({ ...answer, decidedAtMs: NOW_MS - DAY_MS * index }));
  expect([latestAnswers(daily).length, answersOfDays(daily).length]).toEqual([40, 3]);
});

test('the days of a habit begin at midnight where the person is', () => {
  inTimeZone('Asia/Tokyo', () => {
    const times = ['2026-03-02T16:00Z', '2026-03-02T14:00Z', '2026-03-01T16:00Z'].map(Date.parse);
    const some = answers(ids('a', 3)).map((answer, index) => ({ ...answer, decidedAtMs: times[index] ?? 0 }));
    expect([1, 2].map((days) => answersOfDays(some, days).length)).toEqual([1, 3]);
  });
});

test.each([
  [14, 0],
  [15, 1],
])('of twenty answers %d approvals with a known time give %d warnings', (timed, warnings) => {
  const all = answers(ids('a', 20)).map((answer, index) => ({ ...answer, tookMs: index < timed ? 2_400 : null }));
  expect(rubberStamping({ answers: all })).toHaveLength(warnings);
});

const constant =
  (count: number, more: Partial<Answer> = {}) =>
  (tookMs: number) =>
    answers(ids('a', count), { tookMs, ...more });

/** Twenty answers of three days, and before them forty denials, one a day: no earlier approval tells of a change. */
function lately(tookMs: number): Answer[] {
  const latest = answers(ids('a', 20), { tookMs }).map((answer, index) => ({
    ...answer,
    decidedAtMs: NOW_MS - 60_000 - Math.floor(index / 7) * DAY_MS,
  }));
  const before = answers(ids('b', 40), { isAllowed: false }).map((answer, index) => ({
    ...answer,
    decidedAtMs: NOW_MS - DAY_MS * (4 + index),
  }));
  return [...latest, ...before];
}

const oddOne = (tookMs: number) =>
  answers(ids('a', 20)).map((answer, index) => ({ ...answer, tookMs: index === 7 ? 600_000 : tookMs }));

/** Longer prompts take somewhat longer. */
const withCare = (tookMs: number) =>
  answers(ids('a', 20)).map((answer, index) => ({
    ...answer,
    characters: 240 + index,
    tookMs: tookMs + (index < 12 ? index : (index * 3) % 20),
  }));

test.each<[string, (tookMs: number) => Answer[], number]>([
  ['twenty answers', constant(20), 4_113],
  ['forty answers', constant(40), 4_053],
  ['twenty answers of the last three days', lately, 3_761],
  ['twenty answers at high risk', constant(20, { risk: 'high' }), 5_113],
  ['twenty answers of which one took ten minutes', oddOne, 2_959],
  ['twenty answers of a person who takes longer for more', withCare, 2_575],
])('%s show a habit up to their exact time', (_what, of, mostMs) => {
  const found = [mostMs, mostMs + 1].map((tookMs) => rubberStamping({ answers: of(tookMs) }).length);
  expect(found).toEqual([1, 0]);
});
