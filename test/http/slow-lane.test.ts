import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlowLane } from '../../src/http/slow-lane.ts';

test('callers go on one at a time, in the order in which they came, with a look at the network between two', async () => {
  const lane = createSlowLane();
  const steps: string[] = [];
  const caller = async (name: string) => {
    await lane.turn();
    steps.push(name);
  };
  const all = Promise.all(['first', 'second', 'third'].map(caller));
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn();
    steps.push('|');
  }
  await all;
  expect(steps.join(' ')).toBe('first | second | third | |');
});

test('who comes after the lane was empty is let through as well', async () => {
  const lane = createSlowLane();
  await lane.turn();
  await Promise.all([lane.turn(), lane.turn()]);
  await lane.turn();
});
