import { expect, test } from 'vitest';
import { judgedHolder, sendKeys, strayedKeys } from '../../agent/drivers/judged-keys.ts';

const [MEANT, OTHER] = [7, 8];
const howFar = (groups: number) => `${groups} groups.`;
const press = (key: string) => ({ press: [`${key} down`], release: [`${key} up`] });

/** A keyboard that another window takes after so many looks. */
function movesAfter(looks: number) {
  const sent: string[] = [];
  let [asked, waitedMs] = [0, 0];
  const holder = async () => {
    asked += 1;
    return asked > looks ? OTHER : MEANT;
  };
  const sendTo = async (only: number, events: readonly string[]) => {
    if ((await holder()) !== only) return strayedKeys;
    sent.push(...events);
    return undefined;
  };
  const pause = async (ms: number) => {
    waitedMs += ms;
  };
  const { signal } = new AbortController();
  return { keyboard: { signal, holder, sendTo, pause }, sent, waitedMs: () => waitedMs };
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

test('a keyboard that moves while its target is judged is judged again', async () => {
  const { keyboard } = movesAfter(1);
  let judged = 0;
  const objection = async () => {
    judged += 1;
    return undefined;
  };
  expect([await judgedHolder({ ...keyboard, objection }), judged]).toEqual([OTHER, 2]);
});
