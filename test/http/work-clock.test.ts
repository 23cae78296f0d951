import { expect, test } from 'vitest';
import { workClockMs } from '../../src/http/work-clock.ts';
import { median } from '../bench/statistics.ts';

const SLACK_MS = 2;

test('the clock runs while the thread works', () => {
  const startedAtMs = workClockMs();
  const { user, system } = process.threadCpuUsage();
  // Until the system has counted 60 ms, which it does some milliseconds late.
  for (let usedMs = 0; usedMs < 60; ) {
    const now = process.threadCpuUsage();
    usedMs = (now.user + now.system - user - system) / 1_000;
  }
  expect(workClockMs() - startedAtMs).toBeGreaterThan(45);
});

test('the clock stands still while the thread waits, but for the two milliseconds to which it is exact', () => {
  const startedAtMs = workClockMs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  // The system may count earlier work of the thread late, in this wait or in one of these turns.
  expect(workClockMs() - startedAtMs).toBeLessThan(50);
  const turnsMs = Array.from({ length: 20 }, () => {
    const beforeMs = workClockMs();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return workClockMs() - beforeMs;
  });
  expect(median(turnsMs)).toBeLessThan(10);
});

test('from one reading to the next the clock goes back by two milliseconds at most', () => {
  let earlierMs = workClockMs();
  for (let turn = 0; turn < 50_000; turn += 1) {
    const nowMs = workClockMs();
    expect(nowMs).toBeGreaterThanOrEqual(earlierMs - SLACK_MS);
    earlierMs = nowMs;
  }
});
