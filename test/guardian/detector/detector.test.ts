import { expect, test } from 'vitest';
import { ALARM_SCORE, createDetector, type Finding } from '../../../src/guardian/detector/detector.ts';

const STEP_MINUTES = 10;
const DAY = (24 * 60) / STEP_MINUTES;
const MONDAY_MS = Date.UTC(2026, 0, 5);

/** Findings for two weeks of one value every ten minutes, from a Monday on. */
function judged(valueAt: (index: number) => number, days = 14): Finding[] {
  const detector = createDetector();
  return Array.from({ length: days * DAY }, (_, index) =>
    detector({ atMs: MONDAY_MS + index * STEP_MINUTES * 60_000, value: valueAt(index) }),
  );
}

const alarmsIn = (findings: readonly Finding[]) =>
  findings.flatMap(({ alarm, channel }, index) => (alarm ? [{ index, channel }] : []));

/** The same noise in every run, roughly normal with deviation 1. */
function noise(): () => number {
  let state = 42;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6);
}

/** Busy from 9 to 17, quiet otherwise. */
const isOfficeHour = (index: number) => index % DAY >= 54 && index % DAY < 102;

test('a constant series raises no alarm', () => {
  expect(alarmsIn(judged(() => 45))).toEqual([]);
});

test('noise raises no alarm', () => {
  const next = noise();
  expect(alarmsIn(judged(() => 100 + next()))).toEqual([]);
});

test('a jump that comes every day raises no alarm', () => {
  expect(alarmsIn(judged((index) => (isOfficeHour(index) ? 80 : 20)))).toEqual([]);
});

test('a workload with quiet weekends raises no alarm, the weekend after the first included', () => {
  const next = noise();
  const isWorkday = (index: number) => Math.floor(index / DAY) % 7 < 5;
  const load = judged((index) => (isWorkday(index) && isOfficeHour(index) ? 80 : 20) + next(), 28);
  expect(alarmsIn(load).filter(({ index }) => index > 7 * DAY)).toEqual([]);
});

test('one wild value is an alarm, and is told as an unusual value', () => {
  const next = noise();
  const findings = judged((index) => 100 + next() + (index === 9 * DAY + 5 ? 15 : 0));
  expect(alarmsIn(findings)).toEqual([{ index: 9 * DAY + 5, channel: 'level' }]);
});

test('a rise too slow for a step is an alarm, by its shape', () => {
  const next = noise();
  const findings = judged((index) => 100 + next() + Math.max(0, index - 9 * DAY) * 0.1);
  expect(alarmsIn(findings)[0]?.channel).toBe('shape');
});

test('a busy day that does not come is an alarm, though its values are ordinary at night', () => {
  const next = noise();
  const missing = 9;
  const isMissing = (index: number) => Math.floor(index / DAY) === missing;
  const findings = judged((index) => (isOfficeHour(index) && !isMissing(index) ? 80 : 20) + next());
  expect(alarmsIn(findings).map(({ channel }) => channel)).toEqual(['sameHour']);
  expect(Math.floor((alarmsIn(findings)[0]?.index ?? 0) / DAY)).toBe(missing);
});

test('values that stop to vary are an alarm, by their spread, though each of them is ordinary', () => {
  const next = noise();
  const findings = judged((index) => (index < 9 * DAY ? 100 + next() : 100));
  expect(alarmsIn(findings).map(({ channel }) => channel)).toContain('spread');
});

test('the 24 hours after an alarm are silent, and the next one may alarm again', () => {
  const next = noise();
  const wild = [9 * DAY, 9 * DAY + 3, 10 * DAY - 1, 10 * DAY];
  const findings = judged((index) => 100 + next() + (wild.includes(index) ? 15 : 0));
  expect(alarmsIn(findings).map(({ index }) => index)).toEqual([9 * DAY, 10 * DAY]);
  expect(findings.slice(9 * DAY + 1, 10 * DAY).every(({ score }) => score === 0)).toBe(true);
});

test('an alarm is a score of at least one half', () => {
  const next = noise();
  for (const { alarm, score } of judged((index) => 100 + next() + (index % 700 === 699 ? 15 : 0)))
    expect(alarm).toBe(score >= ALARM_SCORE);
});

test('the first two days are for learning', () => {
  const next = noise();
  const findings = judged((index) => 100 + next() + (index % 50 === 49 ? 1000 : 0), 2);
  expect(findings.every(({ score }) => score === 0)).toBe(true);
});

test('the unit of the values and their sign do not matter', () => {
  const valueAt = () => {
    const next = noise();
    return (index: number) => (isOfficeHour(index) ? 80 : 20) + next() + (index === 9 * DAY ? 60 : 0);
  };
  const scores = (factor: number) => {
    const original = valueAt();
    return judged((index) => factor * original(index)).map(({ score }) => score.toFixed(9));
  };
  expect(scores(1024)).toEqual(scores(1));
  expect(scores(-1)).toEqual(scores(1));
});
