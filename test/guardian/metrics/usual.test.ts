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

test('windows in which nothing was requested, or the daemon was down, are left out', () => {
  const idle = Array.from({ length: 20 }, () => dayWith({}));
  const off = Array.from({ length: 20 }, () => dayWith({ requested: 1_000 }, { upHours: 0 }));
  expect(usualOf([...days(9), ...idle, ...off]).windows).toHaveLength(9);
  expect(usualOf([...days(7), ...idle, ...off]).hasHistory).toBe(false);
});

test('a metric that few of the windows have has no history', () => {
  const withTasks = days(8).map((day, index) => (index === 0 ? day : dayWith({ requested: 9, taskSucceeded: 5 })));
  const usual = usualOf(withTasks);
  expect([usual.hasHistory, usual.medianOf('task_success_rate')]).toEqual([true, null]);
  expect(usualOf([...withTasks, dayWith({ requested: 9, taskSucceeded: 5 })]).medianOf('task_success_rate')).toBe(1);
});

test('a share is the worst where it is worse than each of the earlier ones, and a number where it is more than twice the largest', () => {
  const usual = usualOf(
    Array.from({ length: 20 }, () => dayWith({ requested: 50, succeeded: 48, failed: 2, executedHigh: 5 })),
  );
  expect([0.97, 0.96, 0.95].map((share) => usual.isWorst('action_success_rate', share))).toEqual([false, false, true]);
  expect([10, 11].map((times) => usual.isWorst('high_risk_executions', times))).toEqual([false, true]);
  expect(usualOf(days(7)).isWorst('action_success_rate', 0)).toBeNull();
});
