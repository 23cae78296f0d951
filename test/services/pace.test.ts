import { expect, test } from 'vitest';
import { createPace } from '../../src/services/tasks/pace.ts';
import { createFakeClock } from './fake-clock.ts';
import { settle } from './tasks-rig.ts';

/** A pace whose work takes so many milliseconds for each task. */
function rig(workMs: number) {
  const clock = createFakeClock();
  const seen: string[] = [];
  let spentMs = 0;
  const timed = {
    ...clock,
    monotonicMs: () => clock.monotonicMs() + spentMs,
    after: (delayMs: number, callback: () => void) =>
      clock.after(delayMs, () => {
        seen.push('later');
        callback();
      }),
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const pace = createPace({ clock: timed, log }, (taskId) => {
    spentMs += workMs;
    seen.push(taskId);
    return undefined;
  });
  return { clock, pace, seen };
}

test('many tasks that change at once begin their steps in slices of ten milliseconds', async () => {
  const { clock, pace, seen } = rig(5);
  for (const taskId of ['a', 'b', 'c', 'd', 'e']) pace.soon(taskId);
  expect(seen).toEqual([]);
  await settle();
  expect(seen).toEqual(['a', 'b']);
  clock.advance(0);
  expect(seen).toEqual(['a', 'b', 'later', 'c', 'd', 'later', 'e']);
});

test('tasks that take nine milliseconds together begin in one slice, and one that changed twice is looked at once', async () => {
  const { pace, seen } = rig(3);
  for (const taskId of ['a', 'b', 'a', 'c']) pace.soon(taskId);
  await settle();
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('a task that changes while another slice is to come takes its turn after the others', async () => {
  const { clock, pace, seen } = rig(10);
  for (const taskId of ['a', 'b']) pace.soon(taskId);
  await settle();
  pace.soon('a');
  clock.advance(0);
  expect(seen).toEqual(['a', 'later', 'b', 'later', 'a']);
});

test('a task that found no room is tried again after two seconds, and not before', () => {
  const clock = createFakeClock();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
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
