import { describe, expect } from 'vitest';
import { createAgentReadiness } from '../../src/services/agent/questions.ts';
import { createCalls } from '../../src/services/confirmations/queue.ts';
import { untilStored } from '../../src/services/work/storage-failure.ts';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { createFakeClock } from './fake-clock.ts';
import { done, notDone, startServices, test } from './rig.ts';
import { settle, submittedTask } from './tasks-rig.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

test.each([
  ['24 hours', 24 * HOUR_MS, true],
  ['a millisecond more', 24 * HOUR_MS + 1, false],
])('an Idempotency-Key is good for 24 hours: %s after its action', async (_what, ageMs, replayed) => {
  const rig = startServices();
  const submit = () => rig.submit({ parameters: { durationMs: 1 } }, { idempotencyKey: 'k1', waitMs: 0 });
  await submit();
  await rig.agent.answer(done());
  rig.clock.setWallClock(rig.clock.nowMs() + ageMs);
  expect(await submit()).toMatchObject({ kind: 'action', replayed });
});

describe('the person is called', () => {
  /** Calls for prompts, each of them the first of the queue when it comes, and how many calls there were. */
  function createRig() {
    const rig = startServices();
    const clock = createFakeClock();
    const calls = createCalls({ ...rig.context, clock });
    let prompts = 0;
    const prompt = () => {
      prompts += 1;
      const id = `cnf_${prompts}`;
      const times = { createdAtMs: 0, expiresAtMs: 1 };
      const row = {
        userId: 'ann',
        actionDigest: '',
        nonce: '',
        policyVersion: '',
        status: 'pending' as const,
        ...times,
      };
      calls.consider(() => ({ ...row, kind: 'action', id, actionId: `act_${prompts}` }));
      return () => calls.calledAtMs(id) !== undefined;
    };
    return { clock, prompt };
  }

  test('six times a minute, and for the seventh when the first is a minute ago', () => {
    const { clock, prompt } = createRig();
    expect(Array.from({ length: 6 }, () => prompt()())).toEqual(Array.from({ length: 6 }, () => true));
    const isCalled = prompt();
    clock.advance(MINUTE_MS - 1);
    expect(isCalled()).toBe(false);
    clock.advance(1);
    expect(isCalled()).toBe(true);
  });

  test('twenty times an hour, and for the next when the first is an hour ago', () => {
    const { clock, prompt } = createRig();
    for (const count of [6, 6, 6, 2]) {
      expect(Array.from({ length: count }, () => prompt()())).not.toContain(false);
      clock.advance(MINUTE_MS);
    }
    const isCalled = prompt();
    clock.advance(HOUR_MS - 4 * MINUTE_MS - 1);
    expect(isCalled()).toBe(false);
    clock.advance(1);
    expect(isCalled()).toBe(true);
  });
});

test('a step is tried again a second after a failure, where its task does not say when', async ({ rig }) => {
  await submittedTask(rig, [{ id: 'a', retry: { maxAttempts: 2 } }]);
  await rig.agent.answer(notDone());
  rig.clock.advance(999);
  await settle();
  expect(rig.agent.sent).toHaveLength(1);
  rig.clock.advance(1);
  await settle();
  expect(rig.agent.sent).toHaveLength(2);
});

test('a change that the storage did not take is tried again a second later, and not before', () => {
  const clock = createFakeClock();
  let tries = 0;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  untilStored({ clock, log }, () => {
    tries += 1;
    if (tries === 1) throw new StorageUnavailable('the disk is full');
  });
  clock.advance(999);
  expect(tries).toBe(1);
  clock.advance(1);
  expect(tries).toBe(2);
});

test('a submission waits ten seconds for an agent that is starting, and no longer', async ({ rig }) => {
  rig.agent.become('starting');
  let isReady: boolean | undefined;
  const ready = Promise.resolve(createAgentReadiness(rig.clock, rig.agent).ready()).then((answer) => {
    isReady = answer;
  });
  rig.clock.advance(9_999);
  await settle();
  expect(isReady).toBeUndefined();
  rig.clock.advance(1);
  await ready;
  expect(isReady).toBe(false);
});
