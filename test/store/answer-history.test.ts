import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { device, open } from './rig.ts';

function insertPlan(store: Store, number: number) {
  const id = `cnf_${String(number).padStart(4, '0')}`;
  const taskId = `tsk_${number}`;
  store.tasks.insert({
    id: taskId,
    userId: 'ann',
    name: 'n',
    onFailure: 'stop',
    status: 'awaiting_confirmation',
    createdAtMs: 1,
    askedMs: 0,
    steps: [],
  });
  const facts = { userId: 'ann', actionDigest: 'd', nonce: 'n', policyVersion: '1', createdAtMs: 1, expiresAtMs: 2 };
  store.confirmations.insert({ kind: 'plan', id, taskId, ...facts, steps: [] });
}

/** A store with prompts of one user; the oldest was denied, the others wait. */
function startWithPrompts(count: number): Store {
  const store = open();
  store.write('relaxed', () => {
    store.devices.insert(device());
    for (let number = 0; number < count; number += 1) insertPlan(store, number);
    store.confirmations.decide('cnf_0000', { status: 'denied', atMs: 10 });
  });
  return store;
}

test.each([
  [999, ['denied']],
  [1_000, []],
])('behind %d prompts that wait the latest answer is %j', (waiting, answers) => {
  expect(startWithPrompts(waiting + 1).confirmations.latestAnswers('ann', 0, 1)).toEqual(answers);
});

test.each([
  [999, null],
  [1_000, 1_000],
  [1_001, 1_000],
])('of %d prompts it is told that the latest %s were looked at', (count, outOf) => {
  const { confirmations } = startWithPrompts(count);
  expect(confirmations.allowedBefore('ann', 'TakeScreenshot')).toEqual({ times: 0, lastAtMs: null, outOf });
});
