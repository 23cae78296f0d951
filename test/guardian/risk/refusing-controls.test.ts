import { expect, test } from 'vitest';
import type { Counter } from '../../../src/contract/counters.ts';
import { emptyRollup } from '../../../src/guardian/recording/rollup.ts';
import {
  HELD_CONTROLS,
  type HeldControl,
  type HeldCounts,
  heldControls,
  heldCounts,
  heldShare,
} from '../../../src/guardian/risk/refusing-controls.ts';

const none = heldCounts(emptyRollup());

function counted(counters: Partial<Record<Counter, number>>): HeldCounts {
  const rollup = emptyRollup();
  return heldCounts({ counters: { ...rollup.counters, ...counters } });
}

function shareOf(counters: Partial<Record<Counter, number>>, usual: HeldCounts = none): number {
  return Math.round(100 * heldShare(heldControls(counted(counters), usual)));
}

test('one request of a web page is next to nothing, and ten thousand are 30 of 100', () => {
  expect([1, 100, 10_000, 1_000_000].map((crossSiteRefused) => shareOf({ crossSiteRefused }))).toEqual([2, 16, 30, 30]);
});

test('wrong requester keys grow with their number, and stay moderate', () => {
  expect([1, 2, 3, 12, 30, 3_000].map((userKeyRefused) => shareOf({ userKeyRefused }))).toEqual([
    10, 17, 21, 36, 45, 45,
  ]);
});

test('wrong keys of the console and wrong agent tokens may be high', () => {
  expect([1, 3, 10, 100].map((consoleKeyRefused) => shareOf({ consoleKeyRefused }))).toEqual([20, 44, 70, 70]);
  expect([1, 10].map((agentTokenRefused) => shareOf({ agentTokenRefused }))).toEqual([20, 70]);
});

test('all controls that held are at most 49 together, unless credentials of the console or the agent were tried', () => {
  const everything = { crossSiteRefused: 1e6, hostRefused: 1e6, osUserRefused: 1e6, userKeyRefused: 1e6 };
  const answers = { approvalRefused: 1e6, digestMismatched: 1e6, replayed: 1e6 };
  expect(shareOf({ ...everything, ...answers })).toBe(49);
  expect(shareOf({ ...everything, ...answers, consoleKeyRefused: 1 })).toBeGreaterThan(49);
});

test('attempts that are usual on this desktop weigh less', () => {
  const usual = { ...none, webPage: 99 };
  expect(shareOf({ crossSiteRefused: 100 }, usual)).toBe(2);
  expect(shareOf({ crossSiteRefused: 50 }, usual)).toBe(1);
  expect(shareOf({ originRefused: 10_000 }, usual)).toBe(16);
});

test('every kind of control that held has counters, and the weightiest comes first', () => {
  const held = heldControls(
    counted({
      crossSiteRefused: 1,
      hostRefused: 1,
      osUserRefused: 1,
      userKeyRefused: 1,
      consoleKeyRefused: 1,
      agentTokenRefused: 1,
      approvalRefused: 1,
      digestMismatched: 1,
      replayed: 1,
    }),
    none,
  );
  expect(new Set(held.map(({ control }) => control))).toEqual(new Set(HELD_CONTROLS));
  expect(held[0]?.control).toBe('selfApproval');
});

test('wrong keys of the console and tokens of the agent have no usual, wrong keys of requesters do', () => {
  const shares = (counter: Counter, control: HeldControl) =>
    [none, { ...none, [control]: 20 }].map((usual) => shareOf({ [counter]: 10 }, usual));
  expect(shares('consoleKeyRefused', 'consoleKey')).toEqual([70, 70]);
  expect(shares('agentTokenRefused', 'agentToken')).toEqual([70, 70]);
  expect(shares('userKeyRefused', 'userKey')).toEqual([34, 5]);
});
