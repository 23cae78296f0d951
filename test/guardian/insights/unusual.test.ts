import { expect, test } from 'vitest';
import { denialStreak } from '../../../src/guardian/insights/denial-streak.ts';
import { LOOKED_AT } from '../../../src/guardian/insights/facts.ts';
import { newRequester } from '../../../src/guardian/insights/new-requester.ts';
import { isUnusual } from '../../../src/guardian/insights/unusual.ts';
import { answers, factsOf, ids, NOW_MS, prompts, requests, unusual } from './history.ts';

test('a metric is unusual by an open trend of its own that is worth telling and is not for the better', () => {
  const trend = unusual('action_burst_peak');
  const is = (some: object) => isUnusual([{ ...trend, ...some }], 'action_burst_peak');
  expect(is({})).toBe(true);
  expect(is({ metricType: 'action_rate' })).toBe(false);
  expect(is({ openedAt: null })).toBe(false);
  expect(is({ severity: 'info' })).toBe(false);
  expect(is({ effect: 'improving' })).toBe(false);
  expect(isUnusual([{ ...trend, openedAt: null }, trend], 'action_burst_peak')).toBe(true);
});

test('the denials of a streak are no part of the usual share of denials that they are compared with', () => {
  const denied = prompts(ids('p', 5), { status: 'denied' });
  const same = denied.map(({ actionId, decidedAtMs }) => ({
    ...answers([actionId ?? ''])[0],
    isAllowed: false,
    decidedAtMs: decidedAtMs ?? 0,
  }));
  const facts = factsOf({ prompts: denied, answers: same as ReturnType<typeof answers> });
  expect(denialStreak(facts)).toMatchObject([{ severity: 'warning' }]);
});

test('a new requester is told of where there are too many requests to know that it made none', () => {
  const newRequesters = [{ userId: 'zoe', firstSeenMs: NOW_MS }] as never;
  const others = (count: number) => requests(ids('b', count), { userId: 'bob' });
  const found = (count: number) => newRequester(factsOf({ newRequesters, requests: others(count) }));
  expect(found(LOOKED_AT.requests - 1)).toEqual([]);
  expect(found(LOOKED_AT.requests)).toMatchObject([{ title: 'New requester: {requester}' }]);
});
