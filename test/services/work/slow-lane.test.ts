import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlowLane } from '../../../src/services/work/slow-lane.ts';

test('callers go on one at a time, in the order in which they came, with a look at the network between two', async () => {
  const lane = createSlowLane();
  const steps: string[] = [];
  const caller = async (name: string) => {
    const leave = await lane.turn();
    steps.push(name);
    leave();
  };
  const all = Promise.all(['first', 'second', 'third'].map(caller));
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn();
    steps.push('|');
  }
  await all;
  expect(steps.join(' ')).toBe('first | second | third | |');
});

test('a turn lasts until the caller leaves, and leaving twice lets one caller in', async () => {
  const lane = createSlowLane();
  const entered: string[] = [];
  const enter = (name: string) =>
    lane.turn().then((leave) => {
      entered.push(name);
      return leave;
    });
  const first = enter('first');
  void enter('second');
  void enter('third');
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(entered).toEqual(['first']);
  const leave = await first;
  leave();
  leave();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(entered).toEqual(['first', 'second']);
});

test('a caller that comes after the lane was empty is let in as well', async () => {
  const lane = createSlowLane();
  const pass = async () => (await lane.turn())();
  await pass();
  await Promise.all([pass(), pass()]);
  await pass();
});
