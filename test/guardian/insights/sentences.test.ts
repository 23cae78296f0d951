import { expect, test } from 'vitest';
import { LOOKED_AT } from '../../../src/guardian/insights/facts.ts';
import { denialStreak } from '../../../src/guardian/insights/prompts.ts';
import { newRequester, unusualRequesters } from '../../../src/guardian/insights/requesters.ts';
import { retryLoop } from '../../../src/guardian/insights/requests.ts';
import { requesterLine } from '../../../src/guardian/requesters/requester-line.ts';
import { type Measure, NO_PAST } from '../../../src/guardian/requesters/usual-days.ts';
import { dayOf } from '../requesters/days.ts';
import { answers, factsOf, ids, NOW_MS, prompts, requests } from './history.ts';

const line = requesterLine(dayOf({ Wait: { requested: 1 } }), {
  past: NO_PAST,
  programs: [],
  knownTypes: new Set(),
  when: 'today',
});

function reasonOf(measure: Measure, amount: number): string {
  const exceeded = [{ measure, amount, most: null, limit: 1 }];
  const [found] = unusualRequesters(factsOf({ requesters: [{ ...line, exceeded, signs: [measure] }] }));
  return found?.detail.split(';')[0] ?? '';
}

test.each<[Measure, string, string]>([
  ['requested', '1 request', '25 requests'],
  ['high', '1 high-risk action', '25 high-risk actions'],
  ['novel', '1 target never used before', '25 targets never used before'],
  ['captured', '1 look at the screen', '25 looks at the screen'],
])('the amount of %s is counted in words', (measure, one, many) => {
  expect([reasonOf(measure, 1), reasonOf(measure, 25)]).toEqual([one, many]);
});

test('an action that the person interrupted with their own hand is no failure of it', () => {
  const interrupted = requests(ids('a', 20), {
    status: 'failed',
    errorCode: 'interrupted_by_person',
    digest: 'same',
    taskId: 'tsk_1',
    createdAtMs: NOW_MS,
  });
  const failed = interrupted.map((each) => ({ ...each, errorCode: 'app_not_found' }));
  const found = (all: typeof interrupted) => retryLoop(factsOf({ requests: all })).length;
  expect([found(interrupted), found(failed)]).toEqual([0, 1]);
});

test('a requester keeps asking although the person denies where it asked again after a denial, and not otherwise', () => {
  const detailOf = (between: number) => {
    const denied = prompts(ids('n', 14), { status: 'denied', decidedAtMs: NOW_MS }).map((prompt, index) => ({
      ...prompt,
      decidedAtMs: prompt.createdAtMs + 14_000 + index * between,
    }));
    return denialStreak(factsOf({ prompts: denied }))[0]?.detail;
  };
  expect(detailOf(1_000)).toBe('You denied all of them before it asked again. Pause it until you know why it asks.');
  expect(detailOf(-1_000)).toBe('It keeps asking although you deny. Pause it until you know why.');
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
