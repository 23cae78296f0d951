import { expect, test } from 'vitest';
import { findInsights } from '../../../src/guardian/insights/find-insights.ts';
import { answers, counted, DAY_MS, factsOf, ids, NOW_MS, testCases, unusual } from './history.ts';

const HASTY = { tookMs: 1_999 };
const HASTY_AT_HIGH_RISK = { ...HASTY, risk: 'high' } as const;

testCases([
  {
    about: 'a high-risk approval within two seconds',
    finds: {
      day: counted({ promptAllowedHastily: 1, promptAllowedElevated: 4 }),
      answers: [
        ...answers(['slow'], { risk: 'high' }),
        ...answers(['low'], { ...HASTY, risk: 'low' }),
        ...answers(['hasty'], HASTY_AT_HIGH_RISK),
        ...answers(['denied'], { ...HASTY_AT_HIGH_RISK, isAllowed: false }),
        ...answers(['yesterday'], { ...HASTY_AT_HIGH_RISK, decidedAtMs: NOW_MS - DAY_MS }),
      ],
    },
    not: { day: counted({ promptAllowedElevated: 4 }), answers: answers(['slow'], { risk: 'high' }) },
    says: ['info', 'You approved 1 of 4 risky requests within 2 s'],
    shows: ['hasty'],
    step: ['inspect', 'hasty'],
  },
  {
    about: 'two of seven high-risk approvals within two seconds',
    finds: {
      day: counted({ promptAllowedHastily: 2, promptAllowedElevated: 40 }),
      answers: [...answers(['h1', 'h2'], HASTY_AT_HIGH_RISK), ...answers(ids('h slow', 5), { risk: 'high' })],
    },
    not: { day: counted({ promptAllowedElevated: 40 }) },
    says: ['warning', 'You approved 2 of 40 risky requests within 2 s'],
    shows: ['h1', 'h2'],
    step: ['inspect', 'h1'],
  },
  {
    about: 'two of eight high-risk approvals within two seconds',
    finds: {
      day: counted({ promptAllowedHastily: 2, promptAllowedElevated: 40 }),
      answers: [...answers(['h1', 'h2'], HASTY_AT_HIGH_RISK), ...answers(ids('h slow', 6), { risk: 'high' })],
    },
    not: { day: counted({ promptAllowedElevated: 40 }) },
    says: ['info', 'You approved 2 of 40 risky requests within 2 s'],
    shows: ['h1', 'h2'],
    step: ['inspect', 'h1'],
  },
  {
    about: 'quick approvals at high risk of requests that were allowed before',
    finds: {
      day: counted({ promptAllowedHastily: 5, promptAllowedElevated: 5 }),
      answers: answers(ids('h', 5), { ...HASTY_AT_HIGH_RISK, isRepeat: true }),
    },
    not: { day: counted({ promptAllowedElevated: 5 }) },
    says: ['info', 'You approved 5 of 5 risky requests within 2 s'],
    shows: ids('h', 5),
    step: ['inspect', 'h1'],
  },
  {
    about: 'more quick approvals than this person used to give',
    finds: {
      day: counted({ promptAllowedHastily: 3, promptAllowedElevated: 12 }),
      trends: [unusual('hasty_approval_share')],
    },
    not: { day: counted({ promptAllowedElevated: 12 }), trends: [unusual('hasty_approval_share')] },
    says: ['warning', 'You approved 3 of 12 risky requests within 2 s'],
  },
  {
    about: 'half of the approvals within two seconds',
    finds: {
      day: counted({ promptAllowedHastily: 5, promptAllowedElevated: 10 }),
      answers: [...answers(ids('q', 5), HASTY), ...answers(ids('slow', 5))],
    },
    not: { day: counted({ promptAllowedElevated: 10 }) },
    says: ['high', 'You approved 5 of 10 risky requests within 2 s'],
    shows: ids('q', 5),
    step: ['inspect', 'q1'],
  },
  {
    about: 'quick approvals of a person who denies many requests',
    finds: {
      day: counted({ promptAllowedHastily: 5, promptAllowedElevated: 5 }),
      answers: [...answers(ids('q', 5), HASTY), ...answers(ids('d', 3), { isAllowed: false })],
    },
    not: { day: counted({ promptAllowedElevated: 5 }) },
    says: ['info', 'You approved 5 of 5 risky requests within 2 s'],
    shows: ids('q', 5),
    step: ['inspect', 'q1'],
  },
  {
    about: 'quick approvals of a person who denies few requests',
    finds: {
      day: counted({ promptAllowedHastily: 5, promptAllowedElevated: 5 }),
      answers: [...answers(ids('q', 5), HASTY), ...answers(ids('d', 2), { isAllowed: false })],
    },
    not: { day: counted({ promptAllowedElevated: 5 }) },
    says: ['high', 'You approved 5 of 5 risky requests within 2 s'],
    shows: ids('q', 5),
    step: ['inspect', 'q1'],
  },
  {
    about: 'fewer than half of the approvals within two seconds',
    finds: {
      day: counted({ promptAllowedHastily: 5, promptAllowedElevated: 11 }),
      answers: [...answers(ids('q', 5), HASTY), ...answers(ids('slow', 6))],
    },
    not: { day: counted({ promptAllowedElevated: 10 }) },
    says: ['info', 'You approved 5 of 11 risky requests within 2 s'],
    shows: ids('q', 5),
    step: ['inspect', 'q1'],
  },
]);

test('one quick approval of 165 is not told, and a few that are no habit come without advice', () => {
  const found = (hasty: number, all: number) =>
    findInsights(
      factsOf({
        day: counted({ promptAllowedHastily: hasty, promptAllowedElevated: all }),
        answers: [...answers(ids('q', hasty), HASTY), ...answers(ids('slow', 20))],
      }),
    );
  expect(found(1, 165)).toEqual([]);
  expect(found(2, 20).map(({ severity, detail }) => [severity, detail])).toEqual([
    ['info', 'You approved less than two seconds after you could read the request.'],
  ]);
});
