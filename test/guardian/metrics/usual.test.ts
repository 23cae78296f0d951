import { expect, test } from 'vitest';
import { usualOf } from '../../../src/guardian/metrics/usual.ts';
import { dayWith } from '../windows.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => dayWith({ requested: 10 + index, crossSiteRefused: index }));

test('seven windows are no history, eight are', () => {
  const [seven, eight] = [usualOf(days(7)), usualOf(days(8))];
  expect([seven.hasHistory, seven.medianOf('high_risk_executions'), seven.held.webPage]).toEqual([false, null, 0]);
  expect([eight.hasHistory, eight.medianOf('high_risk_executions'), eight.held.webPage]).toEqual([true, 0, 3.5]);
});

test('the amounts of requests are their numbers, with the median and the largest', () => {
  expect(usualOf(days(9)).amountOf('action_rate')).toEqual({ median: 14, largest: 18 });
  expect(usualOf(days(7)).amountOf('action_rate')).toBeNull();
});

test('windows in which nothing was requested, or the daemon was down, are left out', () => {
  const idle = Array.from({ length: 20 }, () => dayWith({}));
  const off = Array.from({ length: 20 }, () => dayWith({ requested: 1_000 }, { upHours: 0 }));
  expect(usualOf([...days(9), ...idle, ...off]).amountOf('action_rate')).toEqual({ median: 14, largest: 18 });
  expect(usualOf([...days(7), ...idle, ...off]).hasHistory).toBe(false);
});

test('a metric that few of the windows have has no history', () => {
  const withTasks = days(8).map((day, index) => (index === 0 ? day : dayWith({ requested: 9, taskSucceeded: 5 })));
  const usual = usualOf(withTasks);
  expect([usual.hasHistory, usual.medianOf('task_success_rate')]).toEqual([true, null]);
  expect(usualOf([...withTasks, dayWith({ requested: 9, taskSucceeded: 5 })]).medianOf('task_success_rate')).toBe(1);
});

test('a z-score tells how unusual a window is among the earlier ones', () => {
  const usual = usualOf(Array.from({ length: 20 }, () => dayWith({ requested: 50, succeeded: 48, failed: 2 })));
  const zOf = (failed: number) =>
    usual.zOf('action_success_rate', dayWith({ requested: 50, succeeded: 50 - failed, failed }));
  expect(Math.abs(zOf(2) ?? 9)).toBeLessThan(0.5);
  expect(zOf(25)).toBeLessThan(-6);
  expect(usualOf(days(7)).zOf('action_success_rate', dayWith({ succeeded: 50 }))).toBeNull();
});
