import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottled } from '../../renderer/src/wire/throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('calls while a task runs or rests are served by one later run', async () => {
  const runs: number[] = [];
  const began = Date.now();
  const run = createThrottled(async () => {
    runs.push(Date.now() - began);
    return runs.length;
  }, 200);
  expect(await run()).toBe(1);
  const rest = Promise.all([run(), run(), run()]);
  await vi.advanceTimersByTimeAsync(199);
  expect(runs).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await rest).toEqual([2, 2, 2]);
  expect(runs).toEqual([0, 200]);
});

test('a run that fails does not stop the next', async () => {
  let runs = 0;
  const run = createThrottled(async () => {
    runs += 1;
    if (runs === 1) throw new Error('the first fails');
    return runs;
  }, 200);
  await expect(run()).rejects.toThrow('the first fails');
  const next = run();
  await vi.advanceTimersByTimeAsync(200);
  expect(await next).toBe(2);
});
