import { expect, test } from 'vitest';
import { hoursUp, measure } from '../../../src/guardian/recording/metrics.ts';
import { addValue, type LogHistogram } from '../../../src/guardian/recording/rollup.ts';
import { dayWith } from '../windows.ts';
import { type Happening, journal, recordAll, recordedIn } from './recording.ts';

const DAY_MS = 86_400_000;

const ask = (atMs: number, id: string): Happening => [
  atMs,
  'action.requested',
  id,
  { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', irreversible: false, digest: 'same' },
];

/** What was counted in the minutes after these events. */
function counted(happenings: readonly Happening[]) {
  return [...recordAll(journal(happenings)).minutes.values()].map(({ burstPeak, counters: { repeated, novel } }) => {
    return { burstPeak, repeated, novel };
  });
}

test.each([
  [59_999, 2],
  [60_000, 1],
])('of two requests %d ms apart %d are within a minute', (apartMs, peak) => {
  expect(counted([ask(0, 'a'), ask(apartMs, 'b')]).at(-1)?.burstPeak).toBe(peak);
});

test.each([
  [600_000, 1],
  [600_001, 0],
])('the same request %d ms later is a repetition: %d', (apartMs, repeated) => {
  expect(counted([ask(0, 'a'), ask(apartMs, 'b')]).at(-1)?.repeated).toBe(repeated);
});

test.each([
  [28 * DAY_MS, 0],
  [28 * DAY_MS + 1, 1],
])('a kind of request that was last seen %d ms ago is new: %d', (apartMs, novel) => {
  expect(counted([ask(0, 'a'), ask(apartMs, 'b')]).at(-1)?.novel).toBe(novel);
});

test.each([
  [999, 0],
  [1_000, 1_000],
])('after an event %d ms after its start the daemon is known to be up for %d ms', (atMs, knownMs) => {
  const { intervals } = recordAll(journal([[0, 'daemon.started'], ask(atMs, 'a')]));
  expect([...intervals.values()].at(-1)?.toMs).toBe(knownMs);
});

test('rates are over a quarter of an hour at least', () => {
  const hours = [0, 0.2, 0.25, 0.3].map((up) => hoursUp({ upMs: up * 3_600_000, unlockedMs: 0, readyMs: 0 }));
  expect(hours).toEqual([0.25, 0.25, 0.25, 0.3]);
});

test('durations are told as the time within which 95 of 100 end, and answers as that of half of them', () => {
  const values: LogHistogram = {};
  for (let ms = 1; ms <= 1_000; ms += 1) addValue(values, ms);
  const day = dayWith({}, { executionMs: values, taskMs: values, responseMs: values });
  const value = (type: Parameters<typeof measure>[0]) => measure(type, day).value ?? 0;
  expect(value('action_latency_p95') / 950).toBeCloseTo(1, 1);
  expect(value('task_duration_p95') / 950).toBeCloseTo(1, 1);
  expect(value('confirmation_response_p50') / 500).toBeCloseTo(1, 1);
});

test('attempts that the person interrupted are counted apart, and successes by whether their effect could be seen', () => {
  const run = (atMs: number, id: string, kind: string, metadata: Record<string, unknown>): Happening[] => [
    [atMs, 'action.requested', id, { type: 'Click', risk: 'low', verdict: 'allow', by: 'profile', digest: id }],
    [atMs + 1, 'action.dispatched', id, { status: 'running', attempt: 1 }],
    [atMs + 2, `action.${kind}`, id, metadata],
  ];
  const events = [
    ...run(10, 'a', 'failed', { status: 'failed', errorCode: 'interrupted_by_person' }),
    ...run(20, 'b', 'failed', { status: 'failed', errorCode: 'app_not_found' }),
    ...run(30, 'c', 'succeeded', { status: 'success', effect: 'unverified' }),
    ...run(40, 'd', 'succeeded', { status: 'success', effect: 'confirmed' }),
    ...run(50, 'e', 'succeeded', { status: 'success', effect: 'none' }),
  ];
  const { counters } = recordedIn(recordAll(journal(events)), { fromMs: 0, toMs: 60_000 }).rollup;
  expect(counters).toMatchObject({
    interrupted: 1,
    cancelled: 1,
    failed: 1,
    succeeded: 3,
    unverified: 1,
    confirmed: 1,
  });
});
