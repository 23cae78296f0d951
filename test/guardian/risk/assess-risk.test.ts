import { expect, test } from 'vitest';
import { NOTHING_USUAL, type Usual, usualOf } from '../../../src/guardian/metrics/usual.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { addValue } from '../../../src/guardian/recording/rollup.ts';
import { assessRisk } from '../../../src/guardian/risk/assess-risk.ts';
import { dayWith } from '../windows.ts';

function pointsOf(recorded: Recorded, usual: Usual = NOTHING_USUAL): Record<string, number> {
  const { contributors } = assessRisk(recorded, {
    usual,
    isKnown: () => false,
    failures: 0,
    signs: [],
  });
  return Object.fromEntries(contributors.map(({ cause, points }) => [cause, points]));
}

const hasty = (promptAllowedHastily: number, promptAllowedElevated: number) =>
  pointsOf(dayWith({ promptAllowedHastily, promptAllowedElevated })).hasty_approval_share ?? 0;

test('two quick approvals of five may be chance, twenty of fifty are a habit', () => {
  expect(hasty(2, 5)).toBeLessThan(6);
  expect(hasty(20, 50)).toBeGreaterThan(12);
});

/** Points of a day on which some prompts were answered after 1.2 s, and the others after 20 s. */
function answeredFast(fast: number, others: number): number {
  const { rollup } = dayWith({});
  for (let count = 0; count < fast; count += 1) addValue(rollup.responseMs, 1_200);
  for (let count = 0; count < others; count += 1) addValue(rollup.responseMs, 20_000);
  const day = dayWith({ promptAllowed: fast + others }, { responseMs: rollup.responseMs });
  return pointsOf(day).confirmation_response_p50 ?? 0;
}

test('a fast median of five answers may be chance, and one of a hundred is not', () => {
  expect(answeredFast(3, 2)).toBe(0);
  expect(answeredFast(65, 35)).toBeGreaterThan(5);
});

test('without a history a rate counts only from halfway to its red limit on', () => {
  const prompted = (anHour: number) => pointsOf(dayWith({ prompted: 8 * anHour })).confirmation_prompt_rate ?? 0;
  expect(prompted(18)).toBe(0);
  expect(prompted(21)).toBeGreaterThan(0);
  // Beyond the limit it leaves the risk low, as one cause alone.
  expect(prompted(30)).toBe(19);
});

test('with a history a rate counts from more than twice the largest of the earlier days on', () => {
  const usual = usualOf(
    Array.from({ length: 28 }, (_, index) => dayWith({ requested: 100, prompted: 70 + (index % 5) * 15 })),
  );
  const points = (prompted: number) =>
    pointsOf(dayWith({ requested: 100, prompted }), usual).confirmation_prompt_rate ?? 0;
  expect([260, 264].map((prompted) => points(prompted) > 0)).toEqual([false, true]);
});

test('with a history, a share on the good side of the usual adds nothing, however far it is beyond its limit', () => {
  const day = (requestedMedium: number, succeeded: number) =>
    dayWith({ requested: 200, requestedMedium, succeeded, failed: 200 - succeeded });
  const usual = usualOf(Array.from({ length: 28 }, (_, index) => day(160 + (index % 3), 90 + (index % 3))));
  const points = (requestedMedium: number, succeeded: number) => {
    const { elevated_action_share = 0, action_success_rate = 0 } = pointsOf(day(requestedMedium, succeeded), usual);
    return [elevated_action_share > 0, action_success_rate > 0];
  };
  expect(points(115, 130)).toEqual([false, false]);
  expect(points(198, 40)).toEqual([true, true]);
});

test('requests that asked the person add nothing by their share, with a history and without', () => {
  const day = (requestedAsking: number) => dayWith({ requested: 100, requestedMedium: 90, requestedAsking });
  const usual = usualOf(
    Array.from({ length: 28 }, (_, index) => dayWith({ requested: 100, requestedMedium: index % 3 })),
  );
  const points = (asking: number) =>
    [pointsOf(day(asking)), pointsOf(day(asking), usual)].map((all) => all.elevated_action_share ?? 0);
  expect(points(90)).toEqual([0, 0]);
  expect(points(0).every((each) => each > 0)).toBe(true);
});

test('denials of the person add no risk, and actions that the rules block do', () => {
  const refused = (counters: Parameters<typeof dayWith>[0]) => {
    const points = pointsOf(dayWith({ requested: 100, ...counters }));
    return [points.denied_action_share ?? 0, points.confirmation_approval_rate ?? 0];
  };
  expect(refused({ denied: 60, promptDenied: 60, promptAllowed: 20 })).toEqual([0, 0]);
  expect(refused({ blocked: 60 })[0]).toBeGreaterThan(10);
  // A repeated denial is denied without a prompt: a requester that insists is no check of the person.
  expect(refused({ denied: 60, deniedAgain: 59, promptDenied: 1 })[0]).toBeGreaterThan(10);
});
