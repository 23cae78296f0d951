import type { Answer, Prompt } from '../../../src/guardian/insights/facts.ts';
import {
  answers,
  counted,
  DAY_MS,
  grant,
  HOUR_MS,
  ids,
  MINUTE_MS,
  NOW_MS,
  prompts,
  requests,
  testCases,
} from './history.ts';

const ANN = 'ann';

/** So many denied prompts, one of them allowed in between. */
function mostlyDenied(denied: number): Prompt[] {
  const all = prompts(ids('n', denied), { status: 'denied' });
  return [...all, ...prompts(['yes'], { decidedAtMs: NOW_MS - 50_500 })];
}

/** Answers of the days before, some of which were denials. */
function earlier(count: number, { denied }: { denied: number }): Answer[] {
  return answers(ids('e', count)).map((answer, index) => {
    const decidedAtMs = NOW_MS - DAY_MS - index * 20 * MINUTE_MS;
    return { ...answer, isAllowed: index >= denied, decidedAtMs };
  });
}

testCases([
  {
    about: 'more prompts than anybody answers with care, mostly of one',
    finds: {
      hour: counted({ prompted: 120 }),
      prompts: [
        ...prompts(['a1', 'a2', 'a3']),
        ...prompts(['b1', 'b2'], { userId: 'bob' }),
        ...prompts(['old'], { createdAtMs: NOW_MS - HOUR_MS }),
      ],
    },
    not: { hour: counted({ prompted: 19 }), prompts: prompts(ids('a', 19)) },
    says: ['high', 'Handrail asked you 120 times in an hour'],
    shows: ['a1', 'a2', 'a3', 'b1', 'b2'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'more prompts than anybody answers with care, of several',
    finds: { hour: counted({ prompted: 20 }), prompts: [...prompts(['a1']), ...prompts(['b1'], { userId: 'bob' })] },
    not: { hour: counted({ prompted: 19 }) },
    says: ['info', 'Handrail asked you 20 times in an hour'],
    shows: ['a1', 'b1'],
    step: ['inspect', 'a1'],
  },
  {
    about: 'prompts that nobody answers',
    finds: {
      day: counted({ promptExpired: 5, prompted: 10 }),
      prompts: [...prompts(['answered']), ...prompts(ids('a', 5), { status: 'expired' })],
    },
    not: { day: counted({ promptExpired: 5, prompted: 11 }) },
    says: ['warning', '5 of 10 prompts expired unanswered in the last day'],
    shows: ids('a', 5),
  },
  {
    about: 'a requester who hears nothing but no',
    finds: {
      prompts: [
        ...prompts(['waits'], { status: 'pending', decidedAtMs: null }),
        ...prompts(['n1', 'n2', 'n3'], { status: 'denied' }),
        ...prompts(['b1'], { userId: 'bob' }),
        ...prompts(['yes'], { decidedAtMs: NOW_MS - HOUR_MS }),
        ...prompts(['n4'], { status: 'denied', decidedAtMs: NOW_MS - 2 * HOUR_MS }),
      ],
    },
    not: { prompts: [...prompts(['n1', 'n2'], { status: 'denied' }), ...prompts(['yes'], { decidedAtMs: 1 })] },
    says: ['info', 'You denied the last 3 prompts of {requester}'],
    shows: ['n1', 'n2', 'n3'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a requester that does not take no for an answer',
    finds: { prompts: prompts(ids('n', 5), { status: 'denied' }) },
    not: { prompts: prompts(['n1', 'n2'], { status: 'denied' }) },
    says: ['warning', 'You denied the last 5 prompts of {requester}'],
    shows: ids('n', 5),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a requester of which nearly everything is denied, by a person who seldom denies',
    finds: { prompts: mostlyDenied(6), answers: earlier(100, { denied: 7 }) },
    not: { prompts: mostlyDenied(2), answers: earlier(100, { denied: 7 }) },
    says: ['warning', 'You denied 6 of the last 7 prompts of {requester}'],
    shows: ids('n', 6),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'five denials in a row of a person who denies one in five',
    finds: { prompts: prompts(ids('n', 5), { status: 'denied' }), answers: earlier(100, { denied: 20 }) },
    not: { prompts: prompts(ids('n', 2), { status: 'denied' }), answers: earlier(100, { denied: 20 }) },
    says: ['info', 'You denied the last 5 prompts of {requester}'],
    shows: ids('n', 5),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'standing grants that grow slowly, of all requesters together',
    finds: {
      grantsGiven: { lately: 8, before: 2, daysBefore: 42, days: 5 },
      grants: [
        grant({ id: 'grt_new' }),
        grant({ id: 'grt_old', createdAtMs: 0 }),
        grant({ id: 'grt_task', scope: 'task' }),
      ],
      requests: [...requests(['a1'], { grantId: 'grt_new' }), ...requests(['b1'], { grantId: 'grt_old' })],
    },
    not: { grantsGiven: { lately: 8, before: 6, daysBefore: 42, days: 5 }, grants: [grant({ id: 'grt_new' })] },
    says: ['warning', 'You gave 8 standing grants in the last two weeks, and 2 in the 6 weeks before'],
    shows: ['a1'],
    step: ['review_grants', null],
  },
  {
    about: 'the least number of new grants that is worth a warning',
    finds: { grantsGiven: { lately: 6, before: 0, daysBefore: 42, days: 5 } },
    not: { grantsGiven: { lately: 5, before: 0, daysBefore: 42, days: 5 } },
    says: ['warning', 'You gave 6 standing grants in the last two weeks, and 0 in the 6 weeks before'],
    step: ['review_grants', null],
  },
  {
    about: 'many new grants of a desktop that is no longer new',
    finds: { grantsGiven: { lately: 14, before: 1, daysBefore: 14, days: 5 } },
    not: { grantsGiven: { lately: 14, before: 1, daysBefore: 13.9, days: 5 } },
    says: ['warning', 'You gave 14 standing grants in the last two weeks, and 1 in the 2 weeks before'],
    step: ['review_grants', null],
  },
  {
    about: 'standing grants one by one, day after day',
    finds: { grantsGiven: { lately: 6, before: 9, daysBefore: 21, days: 8 }, grants: [grant({ id: 'grt_new' })] },
    not: { grantsGiven: { lately: 6, before: 9, daysBefore: 21, days: 7 }, grants: [grant({ id: 'grt_new' })] },
    says: ['warning', 'You gave standing grants on 8 of the last 21 days'],
    step: ['review_grants', null],
  },
  {
    about: 'standing grants day after day on a desktop whose person has set up theirs',
    finds: { grantsGiven: { lately: 6, before: 9, daysBefore: 21, days: 20 } },
    not: { grantsGiven: { lately: 6, before: 9, daysBefore: 20.9, days: 20 } },
    says: ['warning', 'You gave standing grants on 20 of the last 21 days'],
    step: ['review_grants', null],
  },
  {
    about: 'standing grants day after day, told of already and hardly fewer since then',
    finds: { grantsGiven: { lately: 4, before: 9, daysBefore: 42, days: 6 }, raised: new Set(['grant_growth']) },
    not: { grantsGiven: { lately: 4, before: 9, daysBefore: 42, days: 5 }, raised: new Set(['grant_growth']) },
    says: ['warning', 'You gave standing grants on 6 of the last 21 days'],
    step: ['review_grants', null],
  },
  {
    about: 'more standing grants than before, told of already and hardly fewer since then',
    finds: { grantsGiven: { lately: 5, before: 1, daysBefore: 42, days: 4 }, raised: new Set(['grant_growth']) },
    not: { grantsGiven: { lately: 5, before: 1, daysBefore: 42, days: 4 }, raised: new Set(['burst']) },
    says: ['warning', 'You gave 5 standing grants in the last two weeks, and 1 in the 6 weeks before'],
    step: ['review_grants', null],
  },
]);
