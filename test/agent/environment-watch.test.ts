import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEnvironmentWatch } from '../../agent/agent.ts';
import type { Environment } from '../../agent/drivers/driver.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import { loadDriver, platformOf } from '../../agent/load-driver.ts';

const UNKNOWN = { screenRecording: 'unknown', accessibility: 'unknown', automation: 'not_required' };
const GRANTED = { screenRecording: 'granted', accessibility: 'granted', automation: 'granted' } as const;
const DENIED = { ...GRANTED, screenRecording: 'denied' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('the hello says what the driver sees', async () => {
  const { watch } = createRig({ displays: [], permissions: DENIED });
  expect(await watch.current()).toEqual({ displays: [], permissions: DENIED });
});

test('a slow driver does not hold the hello up: it says "unknown", and more when it is known', async () => {
  const rig = createRig({ displays: [], permissions: GRANTED }, { delayMs: 2_000 });
  const current = rig.watch.current();
  let isSaid = false;
  void current.then(() => {
    isSaid = true;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect(isSaid).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isSaid).toBe(true);
  expect(await current).toEqual({ displays: [], permissions: UNKNOWN });
  const refreshed = rig.watch.refresh();
  await vi.advanceTimersByTimeAsync(2_000);
  await refreshed;
  expect(rig.told).toEqual([{ displays: [], permissions: GRANTED }]);
});

test('rule 3: a change is told within a minute, once, and no change is not told', async () => {
  const rig = createRig({ displays: [], permissions: DENIED });
  await rig.watch.current();
  rig.watch.start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(rig.told).toEqual([]);
  rig.change({ displays: [], permissions: GRANTED });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rig.told).toEqual([{ displays: [], permissions: GRANTED }]);
  rig.watch.stop();
  rig.change({ displays: [], permissions: DENIED });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(rig.told).toHaveLength(1);
});

test('the driver is asked once a minute while nothing happens, since each question starts a program', async () => {
  const rig = createRig({ displays: [], permissions: GRANTED });
  await rig.watch.current();
  rig.watch.start();
  await vi.advanceTimersByTimeAsync(59_999);
  expect(rig.asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(rig.asked()).toBe(2);
});

test('after an action the driver is asked at once, but not within ten seconds of the last time', async () => {
  const rig = createRig({ displays: [], permissions: DENIED });
  await rig.watch.current();
  rig.watch.start();
  rig.change({ displays: [], permissions: GRANTED });
  await vi.advanceTimersByTimeAsync(9_999);
  rig.watch.used();
  await vi.advanceTimersByTimeAsync(0);
  expect(rig.told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  rig.watch.used();
  await vi.advanceTimersByTimeAsync(0);
  expect(rig.told).toEqual([{ displays: [], permissions: GRANTED }]);
});

test('an agent that stops asks no more, also when an action ends', async () => {
  const rig = createRig({ displays: [], permissions: GRANTED });
  rig.watch.start();
  rig.watch.stop();
  rig.watch.used();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(rig.asked()).toBe(0);
});

test('a driver that cannot be loaded leaves everything unknown', async () => {
  const watch = createEnvironmentWatch({
    driver: () => Promise.reject(new Error('no such module')),
    changed: () => undefined,
  });
  expect(await watch.current()).toEqual({ displays: [], permissions: UNKNOWN });
});

test.each([
  ['darwin', {}, 'macos'],
  ['linux', {}, 'linux'],
  ['win32', {}, undefined],
  ['linux', { HANDRAIL_AGENT_DRIVER: 'fake' }, 'fake'],
  ['linux', { HANDRAIL_AGENT_DRIVER: 'other' }, 'linux'],
] as const)('on %s with %j the driver is that of %s', (platform, environment, driver) => {
  expect(platformOf(platform, environment)).toBe(driver);
});

test('the fake driver is loaded with the scenario of the environment', async () => {
  const driver = await loadDriver('fake', { HANDRAIL_FAKE_SCENARIO: '{"screen":"none"}' });
  expect(await driver.environment()).toMatchObject({ displays: [] });
});

function createRig(first: Environment, { delayMs = 0 } = {}) {
  const told: Environment[] = [];
  let environment = first;
  let asked = 0;
  const driver = Object.assign(createFakeDriver(), {
    environment: async () => {
      asked += 1;
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return environment;
    },
  });
  const watch = createEnvironmentWatch({ driver: async () => driver, changed: (change) => told.push(change) });
  return {
    watch,
    told,
    asked: () => asked,
    change(next: Environment) {
      environment = next;
    },
  };
}
