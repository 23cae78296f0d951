import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Environment } from '../../agent/drivers/driver.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import { createEnvironmentWatch } from '../../agent/environment-watch.ts';
import { loadDriver, platformOf } from '../../agent/load-driver.ts';

const UNKNOWN = { screenRecording: 'unknown', accessibility: 'unknown', automation: 'unknown' };
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
  await vi.advanceTimersByTimeAsync(500);
  expect(await current).toEqual({ displays: [], permissions: UNKNOWN });
  const refreshed = rig.watch.refresh();
  await vi.advanceTimersByTimeAsync(2_000);
  await refreshed;
  expect(rig.told).toEqual([{ displays: [], permissions: GRANTED }]);
});

test('rule 3: a change is told once, and what stays as it was is not told', async () => {
  const rig = createRig({ displays: [], permissions: DENIED });
  await rig.watch.current();
  rig.watch.start();
  await vi.advanceTimersByTimeAsync(25_000);
  expect(rig.told).toEqual([]);
  rig.change({ displays: [], permissions: GRANTED });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(rig.told).toEqual([{ displays: [], permissions: GRANTED }]);
  rig.watch.stop();
  rig.change({ displays: [], permissions: DENIED });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(rig.told).toHaveLength(1);
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
  const driver = Object.assign(createFakeDriver(), {
    environment: async () => {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return environment;
    },
  });
  const watch = createEnvironmentWatch({ driver: async () => driver, changed: (change) => told.push(change) });
  return {
    watch,
    told,
    change(next: Environment) {
      environment = next;
    },
  };
}
