import { setImmediate as nextOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from '../../src/services/tasks/engine.ts';
import { createFakeClock } from './fake-clock.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Lets the event loop turn until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextOfLoop();
}

/** A pace whose work takes so many milliseconds for each task. */
function rig(workMs: number) {
  const clock = createFakeClock();
  const seen: string[] = [];
  const pace = createPace({ clock, log }, (taskId) => {
    clock.advance(workMs);
    seen.push(taskId);
    return undefined;
  });
  return { pace, seen };
}

test('many tasks that change at once begin their steps in slices of five milliseconds', async () => {
  const { pace, seen } = rig(3);
  for (const taskId of ['a', 'b', 'c', 'd', 'e']) pace.soon(taskId);
  expect(seen).toEqual([]);
  await Promise.resolve();
  expect(seen).toEqual(['a', 'b']);
  await until(() => seen.length > 2);
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
  await until(() => seen.length > 4);
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('tasks that take four milliseconds together begin in one slice, and one that changed twice is looked at once', async () => {
  const { pace, seen } = rig(1);
  for (const taskId of ['a', 'b', 'a', 'c', 'd']) pace.soon(taskId);
  await Promise.resolve();
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
});

test('a task that changes while others are to come takes its turn after them', async () => {
  const seen: string[] = [];
  const pace = createPace({ clock: createFakeClock(), log }, (taskId) => {
    seen.push(taskId);
    if (seen.length === 1) pace.soon('a');
  });
  for (const taskId of ['a', 'b']) pace.soon(taskId);
  await until(() => seen.length === 3);
  expect(seen).toEqual(['a', 'b', 'a']);
});

test('a task that found no room is tried again after two seconds, and not before', () => {
  const clock = createFakeClock();
  let tries = 0;
  const pace = createPace({ clock, log }, () => {
    tries += 1;
    return tries === 1 ? 'no room' : undefined;
  });
  pace.now('a');
  clock.advance(1_999);
  expect(tries).toBe(1);
  clock.advance(1);
  expect(tries).toBe(2);
});
