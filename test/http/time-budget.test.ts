import { expect, test } from 'vitest';
import { createTimeBudget } from '../../src/http/time-budget.ts';

const LIMITS = { perUserMs: 100, inAllMs: 250, inAllForLightMs: 300, lightMs: 10 };

/** A budget with a clock that the test sets. */
function createRig(startMs = 0) {
  let nowMs = startMs;
  const budget = createTimeBudget(LIMITS, () => nowMs);
  return {
    ...budget,
    at(ms: number) {
      nowMs = startMs + ms;
    },
  };
}

test.each([0, 1_234_567])(
  'a requester is served up to its limit and not at it, until the work is ten seconds old (%i)',
  (startMs) => {
    const { waitMs, charge, at } = createRig(Math.floor(startMs / 1_000) * 1_000);
    charge('eve', 99);
    expect(waitMs('eve')).toBe(0);
    charge('eve', 1);
    expect(waitMs('eve')).toBe(10_000);
    expect(waitMs('ann')).toBe(0);
    at(9_999);
    expect(waitMs('eve')).toBe(1);
    at(10_000);
    expect(waitMs('eve')).toBe(0);
  },
);

test('the wait is as long as the oldest seconds need to leave the window, and no longer', () => {
  const { waitMs, charge, at } = createRig();
  charge('eve', 60);
  at(5_000);
  charge('eve', 60);
  expect(waitMs('eve')).toBe(5_000);
  at(10_000);
  expect(waitMs('eve')).toBe(0);
  charge('eve', 60);
  expect(waitMs('eve')).toBe(5_000);
});

test('made-up ids do not multiply it: those who used much are refused first, then everybody', () => {
  const { waitMs, charge } = createRig();
  for (let index = 0; index < 5; index += 1) charge(`made-up-${index}`, 49.9);
  expect(waitMs('made-up-0')).toBe(0);
  charge('made-up-5', 49.9);
  expect(waitMs('made-up-0')).toBe(10_000);
  expect(waitMs('a-new-one')).toBe(0);
  charge('made-up-6', 0.6);
  expect(waitMs('a-new-one')).toBe(10_000);
});

test('a requester at its light share still counts as light below it, and no longer at it', () => {
  const { waitMs, charge } = createRig();
  charge('ann', 9.9);
  for (let index = 0; index < 3; index += 1) charge(`other-${index}`, 90);
  expect(waitMs('ann')).toBe(0);
  charge('ann', 0.1);
  expect(waitMs('ann')).toBe(10_000);
});

test('a sweep of idle accounts leaves those that were used within the last ten seconds', () => {
  const { waitMs, charge, at } = createRig();
  at(8_000);
  charge('eve', 100);
  at(10_000);
  charge('ann', 1);
  expect(waitMs('eve')).toBe(8_000);
});
