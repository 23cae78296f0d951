import { describe, expect, test } from 'vitest';
import { createCalls } from '../../src/services/confirmations/calls.ts';
import { createFakeClock } from './fake-clock.ts';
import { done, notDone, startServices } from './rig.ts';
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
    const calls = createCalls({ ...rig, clock, newId: (prefix) => prefix, log: console });
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
      calls.consider(() => ({ ...row, id, actionId: `act_${prompts}` }));
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

test('a step is tried again a second after a failure, where its task does not say when', async () => {
  const rig = startServices();
  await submittedTask(rig, [{ id: 'a', retry: { maxAttempts: 2 } }]);
  await rig.agent.answer(notDone());
  rig.clock.advance(999);
  await settle();
  expect(rig.agent.sent).toHaveLength(1);
  rig.clock.advance(1);
  await settle();
  expect(rig.agent.sent).toHaveLength(2);
});
