import { expect, test } from 'vitest';
import type { TaskRow } from '../../src/store/records/tasks.ts';
import type { Store } from '../../src/store/store.ts';
import { device, open } from './rig.ts';

const TARGET = 't'.repeat(64);
const STEPS = 100;

/** Stores a plan that asks for a hundred steps with one target. */
function insertPlan(store: Store, number: number): string {
  const id = `cnf_${number}`;
  const task: TaskRow = {
    id: `tsk_${number}`,
    userId: 'ann',
    name: 'n',
    onFailure: 'stop',
    status: 'awaiting_confirmation',
    createdAtMs: 1,
    askedMs: 0,
    steps: [],
  };
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    stepId: `s${index}`,
    consent: 'asked' as const,
    actionType: 'TakeScreenshot',
    digest: `d${index}`,
    targetDigest: TARGET,
    riskLevel: 'medium' as const,
    maxAttempts: 1,
  }));
  store.tasks.insert(task);
  const plan = {
    kind: 'plan' as const,
    id,
    taskId: task.id,
    userId: 'ann',
    actionDigest: 'd',
    nonce: 'n',
    policyVersion: '1',
    steps,
  };
  store.confirmations.insert({ ...plan, createdAtMs: 1, expiresAtMs: 2 });
  return id;
}

function startWithPlans(count: number): Store {
  const store = open();
  store.write('relaxed', () => {
    store.devices.insert(device());
    for (let plan = 0; plan < count; plan += 1) insertPlan(store, plan);
  });
  return store;
}

function milliseconds(work: () => void): number {
  const startedAtMs = performance.now();
  for (let call = 0; call < 50; call += 1) work();
  return performance.now() - startedAtMs;
}

test('a denied plan counts for the targets of its steps, after the given time and for its user only', () => {
  const store = startWithPlans(2);
  const { confirmations } = store;
  const wasDenied = (userId: string, targetDigest: string, atMs: number) =>
    confirmations.wasDeniedAfter(userId, targetDigest, atMs);
  expect(wasDenied('ann', TARGET, 0)).toBe(false);
  store.write('relaxed', () => confirmations.decide('cnf_1', { status: 'denied', atMs: 10 }));
  expect([9, 10].map((atMs) => wasDenied('ann', TARGET, atMs))).toEqual([true, false]);
  expect(wasDenied('bob', TARGET, 0)).toBe(false);
  expect(wasDenied('ann', 'other', 0)).toBe(false);
});

test('the steps that nobody denied do not slow the search for a denial, however many have the same target', () => {
  const { confirmations } = startWithPlans(300);
  const search = (targetDigest: string) => milliseconds(() => confirmations.wasDeniedAfter('ann', targetDigest, 0));
  search('other');
  // Going through the 30,000 steps takes more than a hundred times as long as finding none.
  expect(search(TARGET)).toBeLessThan(20 * search('other') + 5);
});
