import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHold, HOLD_MS } from '../../renderer/src/prompt/AnswerButtons.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const yes = async () => true;
const pass = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);

test('letting go counts after the whole time', async () => {
  const hold = createHold(1_000);
  hold.press(yes);
  expect(hold.get()).toBe('starting');
  await pass(0);
  expect(hold.get()).toBe('holding');
  await pass(1_000);
  expect(hold.get()).toBe('complete');
  expect(hold.release()).toBe(true);
  expect(hold.get()).toBe('idle');
});

test('letting go a moment earlier does not count, and the next press starts from nothing', async () => {
  const hold = createHold(1_000);
  hold.press(yes);
  await pass(999);
  expect(hold.release()).toBe(false);
  hold.press(yes);
  await pass(999);
  expect(hold.get()).toBe('holding');
  expect(hold.release()).toBe(false);
});

test('the time starts when the daemon knows of the press', async () => {
  const hold = createHold(1_000);
  const known = Promise.withResolvers<boolean>();
  hold.press(() => known.promise);
  await pass(5_000);
  expect(hold.get()).toBe('starting');
  known.resolve(true);
  await pass(999);
  expect(hold.get()).toBe('holding');
});

test('a press the daemon refuses is none', async () => {
  const hold = createHold(1_000);
  hold.press(async () => false);
  await pass(2_000);
  expect(hold.get()).toBe('idle');
  expect(hold.release()).toBe(false);
});

test('a hand that slips off after the whole time has not let go of the button', async () => {
  const hold = createHold(1_000);
  hold.press(yes);
  await pass(2_000);
  hold.abort();
  expect(hold.release()).toBe(false);
});

test('an answer to an earlier press does not start the time of a later one', async () => {
  const hold = createHold(1_000);
  const first = Promise.withResolvers<boolean>();
  const second = Promise.withResolvers<boolean>();
  hold.press(() => first.promise);
  hold.release();
  hold.press(() => second.promise);
  first.resolve(true);
  await pass(2_000);
  expect(hold.get()).toBe('starting');
});

test.each([
  [1_049, 'holding'],
  [1_050, 'complete'],
])('after %d ms the hold of the button is %s', async (heldMs, state) => {
  const hold = createHold(HOLD_MS);
  hold.press(yes);
  await pass(heldMs);
  expect(hold.get()).toBe(state);
  hold.abort();
});
