import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/guardian/insights/facts.ts';
import { rubberStamping } from '../../../src/guardian/insights/rubber-stamping.ts';
import { answers, counted, DAY_MS, ids, NOW_MS, testCases } from './history.ts';

/** The counters of a day on which quick approvals were given. */
const hastyDay = counted({ promptAllowedHastily: 20, promptAllowedElevated: 20 });

testCases([
  {
    about: 'everything allowed, sooner than it can be read',
    finds: { answers: answers(ids('a', 20), { tookMs: 2_400 }) },
    not: { answers: answers(ids('a', 19), { tookMs: 2_400 }) },
    says: ['warning', 'You allowed 20 of 20 requests, half of them within 2.4 s; reading one takes about 10 s'],
    shows: ids('a', 20),
    step: ['inspect', 'a1'],
  },
  {
    about: 'nearly everything allowed, sooner than it can be read',
    finds: {
      answers: [
        ...answers(ids('a', 38), { tookMs: 2_400, characters: 216 }),
        ...answers(['d1', 'd2'], { isAllowed: false }),
      ],
    },
    not: { answers: answers(ids('a', 40), { tookMs: 5_000, characters: 216 }) },
    says: ['warning', 'You allowed 38 of 40 requests, half of them within 2.4 s; reading one takes about 9 s'],
    shows: ids('a', 20),
    step: ['inspect', 'a1'],
  },
  {
    about: 'everything allowed in no time, which is told once, though it is hasty too',
    finds: { answers: answers(ids('a', 20), { tookMs: 1_999 }), day: hastyDay },
    not: { answers: answers(ids('a', 20), { tookMs: 12_000 }) },
    says: ['high', 'You allowed 20 of 20 requests, half of them within 2 s; reading one takes about 10 s'],
    shows: ids('a', 20),
    step: ['inspect', 'a1'],
  },
  {
    about: 'everything allowed at once, from before lengths were recorded',
    finds: { answers: answers(ids('a', 20), { tookMs: 2_000, characters: null, wasOpenedToEnd: null }) },
    not: { answers: answers(ids('a', 20), { tookMs: 5_000, characters: null, wasOpenedToEnd: null }) },
    says: ['warning', 'You allowed 20 of 20 requests, half of them within 2 s'],
    shows: ids('a', 20),
    step: ['inspect', 'a1'],
  },
]);

describe('how a person approves is no habit of allowing everything', () => {
  test('where they deny clearly more than one in ten', () => {
    expect(severities(denyingSome(36, 4))).toEqual(['warning']);
    expect(severities(denyingSome(33, 7))).toEqual(['warning']);
    expect(severities(denyingSome(32, 8))).toEqual([]);
  });

  test('where they take longer for longer requests, though the times are short', () => {
    const lengths = ids('a', 40).map((_, index) => 100 + 40 * index);
    const times = (grow: boolean) =>
      answers(ids('a', 40)).map((each, index) => {
        const characters = lengths[index] ?? 0;
        return {
          ...each,
          characters,
          tookMs: grow ? 2_000 + 2 * characters : 2_000 + 2 * (lengths[(index * 17) % 40] ?? 0),
        };
      });
    expect(severities(times(true))).toEqual([]);
    expect(severities(times(false))).toEqual(['warning']);
  });

  test('where the requests are so short that they can be read in that time', () => {
    expect(severities(answers(ids('a', 40), { tookMs: 2_000, characters: 40 }))).toEqual([]);
    expect(severities(answers(ids('a', 40), { tookMs: 2_000, characters: 60 }))).toEqual(['warning']);
  });
});

test('prompts that were not opened to their end were not read, however long they took', () => {
  const open = answers(ids('a', 15), { tookMs: 9_000 });
  const closed = answers(ids('b', 25), { tookMs: 9_000, wasOpenedToEnd: false });
  expect(severities([...open, ...closed])).toEqual(['warning']);
  expect(severities([...open, ...answers(ids('b', 25), { tookMs: 9_000, wasOpenedToEnd: null })])).toEqual([]);
  const [finding] = rubberStamping({ answers: [...open, ...closed] });
  expect(finding?.detail).toContain('25 requests of these were not opened to the end.');
});

test('many prompts that were denied all at once count as one denial', () => {
  const stamped = answers(ids('a', 40), { tookMs: 2_000 });
  const atOnce = answers(ids('d', 12), { isAllowed: false, tookMs: null, decidedAtMs: NOW_MS });
  expect(severities([...atOnce, ...stamped])).toEqual(['warning']);
});

test('all answers of the last three days with answers count, and at least the last forty', () => {
  const some = (count: number, tookMs: number, daysAgo: number) =>
    answers(ids(`day ${daysAgo} `, count), { tookMs, decidedAtMs: NOW_MS - daysAgo * DAY_MS });
  const three = [1, 2, 3].flatMap((daysAgo) => some(8, 2_000, daysAgo));
  // Few prompts: the last three days show a new habit by themselves.
  expect(severities([...three, ...some(100, 20_000, 9)])).toEqual(['warning']);
  const stamped = [...some(20, 2_000, 1), ...some(20, 2_000, 2)];
  expect(severities([...stamped, ...some(5, 2_000, 9), ...some(100, 20_000, 10)])).toEqual(['warning']);
  const rare = ids('', 4).flatMap((_, index) => some(10, 2_000, index + 1));
  expect(severities([...rare, ...some(100, 20_000, 9)])).toEqual(['warning']);
});

/** Eight answers on each of so many days before, by how long they took on that day. */
const earlier = (...dayMs: number[]) =>
  dayMs.flatMap((tookMs, index) =>
    answers(ids(`day ${index} `, 8), { tookMs, decidedAtMs: NOW_MS - (5 + index) * DAY_MS }),
  );
const SLOW = earlier(8_000, 8_500, 9_000, 9_500, 10_000, 8_200);

test.each([
  ['eight answers that came much sooner than those before', 8, {}, ['warning']],
  ['seven', 7, {}, []],
  ['eight that were allowed before just as they are', 8, { isRepeat: true }, []],
  ['eight that still took long', 8, { tookMs: 5_500 }, []],
])('%s on one day show a change of habit: %#', (_what, count, some: Partial<Answer>, expected) => {
  const now = answers(ids('now', count), { tookMs: 3_800, decidedAtMs: NOW_MS, ...some });
  expect(severities([...now, ...SLOW])).toEqual(expected);
  expect(severities([...now, ...SLOW.slice(0, 19)])).toEqual([]);
});

test.each([
  [3, ['warning']],
  [2, []],
])('%d answers of three days, that came much sooner than those before, give %j', (count, expected) => {
  const on = (daysAgo: number) => ({ tookMs: 3_800, decidedAtMs: NOW_MS - daysAgo * DAY_MS });
  const now = [0, 1, 2].slice(0, count).flatMap((daysAgo, index) => answers([`now ${index}`], on(daysAgo)));
  expect(severities([...now, ...SLOW])).toEqual(expected);
});

test('a day is one observation: many answers of one quick day say no more than eight, where days differ', () => {
  const quick = answers(ids('now', 100), { tookMs: 5_400, decidedAtMs: NOW_MS });
  const steady = earlier(11_000, 11_100, 10_900, 11_000, 11_050, 10_950);
  const uneven = earlier(11_000, 15_000, 8_000, 11_500, 7_500, 13_500);
  expect([severities([...quick, ...steady]), severities([...quick, ...uneven])]).toEqual([['warning'], []]);
});

function severities(latest: readonly Answer[]): string[] {
  return rubberStamping({ answers: latest }).map(({ severity }) => severity);
}

function denyingSome(allowed: number, denied: number): Answer[] {
  const one = answers(ids('d', denied), { isAllowed: false });
  return [...answers(ids('a', allowed), { tookMs: 2_400 }), ...one];
}

test('the second in which Allow must be held at high risk counts as no time of care', () => {
  const all = answers(ids('a', 20), { risk: 'high', tookMs: 5_000, characters: 400 });
  const held = rubberStamping({ answers: all });
  const unheld = rubberStamping({ answers: all.map((answer) => ({ ...answer, risk: 'medium' as const })) });
  expect([held.length, unheld.length]).toEqual([1, 0]);
});
