import { expect, test } from 'vitest';
import { NOTHING_USUAL, type Usual } from '../../../src/guardian/metrics/usual.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { addValue, emptyRollup } from '../../../src/guardian/recording/rollup.ts';
import { assessRisk } from '../../../src/guardian/risk/assess-risk.ts';
import { type HeldControl, heldControls, heldCounts } from '../../../src/guardian/risk/refusing-controls.ts';
import { dayWith } from '../windows.ts';

const NONE = heldCounts(emptyRollup());

test.each<[HeldControl, number, number, number, number]>([
  ['webPage', 0.02, 0.079157, 10_000, 0.3],
  ['host', 0.05, 0.13451, 1_000, 0.35],
  ['osUser', 0.1, 0.247892, 100, 0.45],
  ['userKey', 0.1, 0.300244, 30, 0.45],
  ['consoleKey', 0.2, 0.622549, 10, 0.7],
  ['agentToken', 0.2, 0.622549, 10, 0.7],
  ['selfApproval', 0.25, 0.452824, 10, 0.49],
  ['promptState', 0.05, 0.244868, 20, 0.35],
  ['agentResult', 0.1, 0.294868, 20, 0.4],
])('a refused attempt at %s adds %d, seven add %d, and from %d on they add %d', (...row) => {
  const [control, first, seven, many, most] = row;
  const shares = [1, 7, many, 2 * many].map(
    (count) => heldControls({ ...NONE, [control]: count }, NONE)[0]?.share ?? 0,
  );
  expect(shares.map((share) => Number(share.toFixed(6)))).toEqual([first, seven, most, most]);
});

function pointsOf(recorded: Recorded, usual: Usual = NOTHING_USUAL): Record<string, number> {
  const { contributors } = assessRisk(recorded, {
    usual,
    isKnown: () => false,
    failures: 0,
    signs: [],
  });
  return Object.fromEntries(contributors.map(({ cause, points }) => [cause, points]));
}

/** A day with allowed prompts, answered after these times. */
function answered(times: readonly number[]): Recorded {
  const { rollup } = dayWith({});
  for (const responseMs of times) addValue(rollup.responseMs, responseMs);
  return dayWith({ promptAllowed: times.length }, { responseMs: rollup.responseMs });
}

test.each([
  [2_900, 30],
  [3_600, 22],
  [4_500, 10],
  [5_400, 3],
  [6_200, 0],
])('allowing everything after %d ms gives %d points', (ms, points) => {
  expect(pointsOf(answered(new Array(100).fill(ms))).confirmation_approval_rate ?? 0).toBe(points);
});

test.each([
  [55, 0],
  [65, 9],
])('of a hundred answers %d fast ones give %d points', (fast, points) => {
  const times = [...new Array(fast).fill(1_200), ...new Array(100 - fast).fill(20_000)];
  expect(pointsOf(answered(times)).confirmation_response_p50 ?? 0).toBe(points);
});

test('that only one kind of action is used gives seven points', () => {
  expect(pointsOf(dayWith({ requested: 100 }, { types: { OpenApp: 100 } })).action_diversity).toBe(7);
});
