import { expect, test } from 'vitest';
import { agentAway, unseenEffects } from '../../../src/guardian/insights/operation.ts';
import { unusualRequesters } from '../../../src/guardian/insights/requesters.ts';
import { requesterLine } from '../../../src/guardian/requesters/requester-line.ts';
import { NO_PAST, type Past, pastAfter } from '../../../src/guardian/requesters/usual-days.ts';
import { dayOf } from '../requesters/days.ts';
import { answers, factsOf, HOUR_MS, ids, requests, testCases } from './history.ts';

const effects = (hits: number, total: number, before = { hits: 5, total: 50 }) => [
  { userId: 'bot', now: { hits, total }, before },
];
const of = (userId: string, count: number, tookMs: number) => answers(ids(userId, count), { userId, tookMs });

testCases([
  {
    about: 'effects that cannot be seen any more',
    finds: { effects: effects(9, 10), requests: requests(['a1'], { userId: 'bot', app: 'Mail' }) },
    not: { effects: effects(3, 3) },
    says: ['warning', '9 of 10 effects of {requester} could not be seen in 5 days, 10 % before, most in Mail'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: 'bot',
  },
  {
    about: 'a requester whose requests are allowed at once, unlike those of others',
    finds: { answers: [...of('bot', 5, 900), ...of('ann', 5, 9_000)] },
    not: { answers: [...of('bot', 5, 1_000), ...of('ann', 5, 9_000)] },
    says: ['warning', 'You allowed 5 of 5 requests of {requester} within 1 s, and those of others after 9 s'],
    shows: ids('bot', 5),
    step: ['pause_requester', '{requester}'],
    of: 'bot',
  },
  {
    about: 'a requester of which half of the tasks are stopped',
    finds: { tasks: [{ userId: 'bot', stopped: 4, started: 8 }] },
    not: {
      tasks: [
        { userId: 'bot', stopped: 4, started: 9 },
        { userId: 'ann', stopped: 3, started: 3 },
      ],
    },
    says: ['warning', 'You cancelled or stopped 4 of 8 tasks of {requester} in 7 days'],
    step: ['pause_requester', '{requester}'],
    of: 'bot',
  },
]);

test('as many effects that cannot be seen are not told where that was so before', () => {
  expect([unseen(9, 10, { hits: 30, total: 50 }), unseen(9, 10, { hits: 0, total: 9 })]).toEqual([0, 0]);
  expect(unseen(90, 100, { hits: 25, total: 50 })).toBe(1);
});

test('an agent that is away for four hours of a day is told, unless a permission is missing', () => {
  const away = (readyMs: number, names: string[] = []) => {
    const facts = factsOf({ missingPermissions: names.map((name) => ({ name, platform: 'linux' })) });
    const upTime = { upMs: 8 * HOUR_MS, unlockedMs: 8 * HOUR_MS, readyMs };
    return agentAway({ ...facts, day: { ...facts.day, upTime } }).map(({ title }) => title);
  };
  expect(away(4 * HOUR_MS)).toEqual(["Handrail's agent was away for 4 h of the last day"]);
  expect([away(4 * HOUR_MS + 1), away(0, ['accessibility'])]).toEqual([[], []]);
});

test('a requester from which the person takes the mouse more often is told, with the app', () => {
  const usual = dayOf({ Click: { requested: 20, interrupted: 1 } });
  const past = Array.from({ length: 14 }).reduce<Past>((before) => pastAfter(before, usual, false), NO_PAST);
  const line = requesterLine(dayOf({ Click: { requested: 20, interrupted: 12 } }), {
    past,
    programs: [],
    knownTypes: new Set(['Click']),
    when: 'today',
  });
  const clicks = requests(ids('c', 3), { userId: 'assistant', actionType: 'Click', app: 'Mail' });
  const [found] = unusualRequesters(factsOf({ requesters: [line], requests: clicks }));
  expect(found?.title).toBe(
    '{requester}: 20 requests, 20 clicks and key presses and you took the mouse from it 12 times, today, most in Mail',
  );
  expect(found?.detail).toContain('12 times that you took the mouse from it; at most 1 on 14 days before.');
});

test('clicks at night are told where the requester never made any then, and again on the next night', () => {
  const night = (inputs: number) =>
    dayOf({ Click: { requested: inputs } }, [{ atMs: new Date(2026, 2, 3, 3).getTime(), inputs }]);
  const workday = dayOf({ Click: { requested: 40 } }, [{ atMs: new Date(2026, 2, 2, 10).getTime(), inputs: 40 }]);
  const after = (...days: ReturnType<typeof dayOf>[]) =>
    days.reduce<Past>((before, day) => pastAfter(before, day, false), NO_PAST);
  const known = [workday, workday, workday];
  const isTold = (day: ReturnType<typeof dayOf>, past: Past) =>
    requesterLine(day, { past, programs: [], knownTypes: new Set(['Click']), when: 'today' }).signs.includes(
      'at night',
    );
  expect([isTold(night(10), after(...known)), isTold(night(10), after(...known, night(10)))]).toEqual([true, true]);
  expect([isTold(night(9), after(...known)), isTold(night(10), after(...known, night(5)))]).toEqual([false, false]);
  expect(isTold(night(10), after(workday, workday))).toBe(false);
  const line = requesterLine(night(40), { past: after(...known), programs: [], knownTypes: new Set(), when: 'today' });
  const clicks = requests(ids('c', 3), { userId: 'assistant', actionType: 'Click', app: 'Bank' });
  const [found] = unusualRequesters(factsOf({ requesters: [line], requests: clicks }));
  expect(found?.severity).toBe('high');
  expect(found?.title).toContain('40 of them at night, for the first time');
  expect(found?.title).toContain('most in Bank');
});

test('one more app on five days in a row is told, with the latest app', () => {
  const day = (novel: number) => dayOf({ RequestAccess: { requested: 1, novel } });
  const after = (...novel: number[]) =>
    novel.reduce<Past>((before, each) => pastAfter(before, day(each), false), NO_PAST);
  const lineAfter = (past: Past) =>
    requesterLine(day(1), { past, programs: [], knownTypes: new Set(['RequestAccess']), when: 'today' });
  const isTold = (...novel: number[]) => lineAfter(after(...novel)).signs.includes('one more app each day');
  expect([isTold(0, 0, 0, 0, 1, 1, 1, 1), isTold(0, 0, 0, 0, 1, 1, 0, 1)]).toEqual([true, false]);
  expect([isTold(0, 0, 0, 1, 1, 1, 1), isTold(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)]).toEqual([false, false]);
  const accesses = requests(['a1', 'a2'], { userId: 'assistant', actionType: 'RequestAccess', app: 'Bank' });
  const requesters = [lineAfter(after(0, 0, 0, 0, 1, 1, 1, 1))];
  expect(unusualRequesters(factsOf({ requesters, requests: accesses }))[0]?.title).toContain('now Bank');
});

function unseen(hits: number, total: number, before: { hits: number; total: number }): number {
  return unseenEffects(factsOf({ effects: effects(hits, total, before) })).length;
}
