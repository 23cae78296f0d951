import { expect, test } from 'vitest';
import { judgedHolder, sendKeys, strayedKeys } from '../../agent/drivers/hands/judged-keys.ts';
import type { InputFailed } from '../../agent/drivers/input.ts';

const [MEANT, OTHER] = [7, 8];
const ANOTHER_PAGE: InputFailed = {
  ok: false,
  code: 'target_changed',
  message: 'Another page. Nothing was done.',
  sideEffect: 'none',
};
const howFar = (groups: number) => `${groups} groups.`;
const press = (key: string) => ({ press: [`${key} down`], release: [`${key} up`] });

/** A keyboard that another window takes after so many looks, or that is in another page after so many. */
function movesAfter(looks: number, looksAtPage = Number.POSITIVE_INFINITY) {
  const sent: string[] = [];
  let [asked, askedPage, waitedMs] = [0, 0, 0];
  const holder = async () => {
    asked += 1;
    return asked > looks ? OTHER : MEANT;
  };
  const sendTo = async (only: number, events: readonly string[]) => {
    if ((await holder()) !== only) return strayedKeys;
    sent.push(...events);
    return undefined;
  };
  const objectionBetween = async () => {
    askedPage += 1;
    return askedPage > looksAtPage ? ANOTHER_PAGE : null;
  };
  const pause = async (ms: number) => {
    waitedMs += ms;
  };
  const { signal } = new AbortController();
  return { keyboard: { signal, holder, objectionBetween, sendTo, pause }, sent, waitedMs: () => waitedMs };
}

test('keys end with the first group for which another window has the keyboard', async () => {
  const { keyboard, sent } = movesAfter(2);
  const groups = ['a', 'b', 'c', 'd'].map(press);
  expect(await sendKeys(keyboard, { only: MEANT, groups, howFar })).toMatchObject({
    code: 'target_changed',
    message: 'Another window took the keyboard. 2 groups.',
    sideEffect: 'done',
    delivered: 'yes',
  });
  expect(sent).toEqual(['a down', 'a up', 'b down', 'b up']);
});

test('where another window has the keyboard from the beginning, nothing is done', async () => {
  const { keyboard, sent } = movesAfter(0);
  const outcome = await sendKeys(keyboard, { only: MEANT, groups: [press('a')], howFar });
  expect(outcome).toMatchObject({ code: 'target_changed', sideEffect: 'none', delivered: 'no', safeToRepeat: true });
  expect(sent).toEqual([]);
});

test('held keys are looked after every 50 ms, and are let go of when another window has the keyboard', async () => {
  const { keyboard, sent, waitedMs } = movesAfter(4);
  expect(await sendKeys(keyboard, { only: MEANT, groups: [press('a')], holdMs: 10_000, howFar })).toMatchObject({
    message: 'Another window took the keyboard. The keys were held for a shorter time.',
  });
  expect([sent, waitedMs()]).toEqual([['a down'], 200]);
});

test('held keys are let go of after their time', async () => {
  const { keyboard, sent, waitedMs } = movesAfter(100);
  const groups = [press('a'), press('b')];
  expect(await sendKeys(keyboard, { only: MEANT, groups, holdMs: 120, howFar })).toBeUndefined();
  expect([sent, waitedMs()]).toEqual([['a down', 'a up', 'b down', 'b up'], 240]);
});

test('N42: keys end with the first group for which the keyboard is in another page', async () => {
  const { keyboard, sent } = movesAfter(100, 1);
  const groups = ['a', 'b', 'c', 'd'].map(press);
  expect(await sendKeys(keyboard, { only: MEANT, groups, isJustSeen: true, howFar })).toMatchObject({
    code: 'target_changed',
    message: 'Another page. 2 groups.',
    sideEffect: 'done',
    delivered: 'yes',
    safeToRepeat: false,
  });
  expect(sent).toEqual(['a down', 'a up', 'b down', 'b up']);
});

test('N42: without a look just before, also the first group is for the judged page alone', async () => {
  const { keyboard, sent } = movesAfter(100, 0);
  const outcome = await sendKeys(keyboard, { only: MEANT, groups: [press('a')], howFar });
  expect(outcome).toMatchObject({ code: 'target_changed', sideEffect: 'none', delivered: 'no', safeToRepeat: true });
  expect(sent).toEqual([]);
});

test('N42: keys that are held are let go of when the keyboard is in another page', async () => {
  const { keyboard, sent, waitedMs } = movesAfter(100, 3);
  expect(
    await sendKeys(keyboard, { only: MEANT, groups: [press('a')], isJustSeen: true, holdMs: 10_000, howFar }),
  ).toMatchObject({ message: 'Another page. The keys were held for a shorter time.' });
  expect([sent, waitedMs()]).toEqual([['a down'], 200]);
});

test('a slow look at the page makes keys be held no longer', async () => {
  const { keyboard, sent, waitedMs } = movesAfter(100);
  const objectionBetween = async () => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    return null;
  };
  const slow = { ...keyboard, objectionBetween };
  await sendKeys(slow, { only: MEANT, groups: [press('a')], isJustSeen: true, holdMs: 200, howFar });
  expect(sent).toEqual(['a down', 'a up']);
  expect(waitedMs()).toBeLessThanOrEqual(100);
});

test('a keyboard that moves while its target is judged is judged again', async () => {
  const { keyboard } = movesAfter(1);
  let judged = 0;
  const objection = async () => {
    judged += 1;
    return undefined;
  };
  expect([await judgedHolder({ ...keyboard, objection }), judged]).toEqual([OTHER, 2]);
});
