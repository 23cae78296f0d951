import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { createIds } from '../../src/services/context.ts';
import { createPersonDoor } from '../../src/services/person-door.ts';
import { createRefusalNotes } from '../../src/services/records/refusal-notes.ts';
import { createKnownRequesters } from '../../src/services/requesters/requesters.ts';
import { startServices, test } from './rig.ts';

const quiet = () => undefined;

test.each([
  [1_999, 0],
  [2_000, 1],
  [3_999, 1],
  [4_000, 2],
])('after %d ms the end of the journal was anchored %d times', async (afterMs, times) => {
  const rig = startServices();
  let anchored = 0;
  Object.assign(rig.store, { anchor: () => (anchored += 1) });
  rig.clock.advance(afterMs);
  expect(anchored).toBe(times);
});

test.each([
  [59_999, 0],
  [60_000, 1],
  [120_000, 2],
])('after %d ms what is too old was swept %d times', (afterMs, times) => {
  const rig = startServices();
  let swept = 0;
  Object.assign(rig.store.tasks, { forgetParameters: () => (swept += 1) });
  rig.clock.advance(afterMs);
  expect(swept).toBe(times);
});

test.each([
  [59_999, 0],
  [60_000, 1],
  [120_000, 2],
])('after %d ms Guardian has looked %d times', (afterMs, times) => {
  const rig = startServices();
  const looks = { around: 0 };
  Object.assign(rig.services.guardian, {
    lookAround: () => (looks.around += 1),
  });
  rig.services.watch();
  rig.clock.advance(afterMs);
  expect(looks).toEqual({ around: times });
});

test('of the requesters that were allowed something, ten thousand are remembered', ({ rig }) => {
  const asked: string[] = [];
  Object.assign(rig.store.confirmations, { hasAllowed: (userId: string) => asked.push(userId) > 0 });
  const context = {
    store: rig.store,
    clock: rig.clock,
    newId: createIds(rig.clock),
    log: { info: quiet, warn: quiet, error: quiet },
  };
  const { isKnown } = createKnownRequesters(context, { hasProfile: () => false });
  const users = Array.from({ length: 10_001 }, (_, index) => `user${index}`);
  users.forEach(isKnown);
  asked.length = 0;
  expect(users.every(isKnown)).toBe(true);
  expect(asked).toEqual(['user10000']);
});

test('of many requesters the latest hundred are listed', ({ rig }) => {
  for (let index = 0; index < 102; index += 1) rig.services.console.requesters.createKey(`user${index}`);
  expect(rig.services.console.status().requesters).toHaveLength(100);
});

test('the refused requests of fifty sources have a row each within one second, and those of others one together', () => {
  const rig = startServices();
  const context = {
    store: rig.store,
    clock: rig.clock,
    newId: createIds(rig.clock),
    log: { info: quiet, warn: quiet, error: quiet },
  };
  const before = rig.store.journal.head().seq;
  const note = createRefusalNotes(context);
  for (let index = 0; index < 52; index += 1) note({ refused: 'user_key_invalid', from: `user${index}` });
  rig.clock.advance(1_000);
  const rows = rig.store.journal.readAfter(before, 1_000).map(({ metadata }) => metadata);
  expect(rows.filter(({ from }) => from !== undefined).map(({ from }) => from)).toEqual(
    Array.from({ length: 50 }, (_, index) => `user${index}`),
  );
  // The first of them at once, the other when the second has passed.
  expect(rows.slice(50)).toEqual([
    { code: 'user_key_invalid', count: 1 },
    { code: 'user_key_invalid', count: 1 },
  ]);
});

test('the desktop shell is told of changes at most once in 100 ms', async ({ rig }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let told = 0;
  const person = createPersonDoor(rig.services, { port: rig.agent, log: { warn: () => undefined } });
  const stop = person.onChange(() => (told += 1));
  const changed = async () => {
    person.pause();
    await person.resume();
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    return told;
  };
  expect(await changed()).toBe(1);
  expect(await changed()).toBe(1);
  vi.advanceTimersByTime(99);
  expect(await changed()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await changed()).toBe(2);
  stop();
});
