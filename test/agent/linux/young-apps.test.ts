import { expect, test, vi } from 'vitest';
import { appsWithYoung } from '../../../agent/drivers/linux/accessibility.ts';
import type { AccessibleApp } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { xWindow } from './x-window.ts';

function app(pid: number): AccessibleApp {
  return { root: { bus: `:1.${pid}`, path: '/root' }, pid, toolkit: 'gtk' };
}

/** A bus on which the second app appears with the third question. */
function slowBus() {
  let questions = 0;
  return async () => {
    questions += 1;
    return questions < 3 ? [app(1)] : [app(1), app(2)];
  };
}

const windows = [xWindow({ pid: 1 }), xWindow({ pid: 2 }), xWindow({ pid: null })];

test('an app that was just started is waited for until it is on the bus', async () => {
  const request = { windows, readApps: slowBus(), timeLeftMs: () => 1_000, ageMs: async () => 100 };
  expect(await appsWithYoung(request)).toEqual([app(1), app(2)]);
});

test.each([
  ['one that has been running for long', { ageMs: async () => 60_000 }],
  ['one that has ended', { ageMs: async () => null }],
  ['any when no time is left', { timeLeftMs: () => 0 }],
])('is not waited for: %s', async (_what, more) => {
  const request = { windows, readApps: slowBus(), timeLeftMs: () => 1_000, ageMs: async () => 100, ...more };
  expect(await appsWithYoung(request)).toEqual([app(1)]);
});

test('an app that never comes is waited for half a second, though there is time left', async () => {
  const startedAt = performance.now();
  const readApps = vi.fn(async () => [app(1)]);
  expect(await appsWithYoung({ windows, readApps, timeLeftMs: () => 1_000, ageMs: async () => 100 })).toEqual([app(1)]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(500);
  expect(readApps.mock.calls.length).toBeGreaterThan(1);
});

test('without a bus there is nothing to wait for', async () => {
  const request = { windows, readApps: async () => null, timeLeftMs: () => 1_000, ageMs: async () => 100 };
  expect(await appsWithYoung(request)).toBeNull();
});

test.each([
  [1_999, 2],
  [2_000, 1],
])('an app that started %d ms ago is found with %d apps on the bus', async (age, apps) => {
  const request = { windows, readApps: slowBus(), timeLeftMs: () => 1_000, ageMs: async () => age };
  expect(await appsWithYoung(request)).toHaveLength(apps);
});
