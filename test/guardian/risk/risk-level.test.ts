import { expect, test } from 'vitest';
import { type LevelState, levelAfterGap, levelOf, nextLevel } from '../../../src/guardian/risk/risk-score.ts';

const minute = 60_000;

/** Levels shown after scores that come one a minute. */
function levelsAfter(scores: readonly number[]): string[] {
  let state: LevelState = { level: 'low', belowSinceMs: {} };
  return scores.map((score, index) => {
    state = nextLevel(state, { score, nowMs: index * minute });
    return state.level;
  });
}

const times = (count: number, score: number) => new Array<number>(count).fill(score);

test('the bounds are 25, 50 and 75', () => {
  expect([0, 24, 25, 49, 50, 74, 75, 100].map(levelOf)).toEqual([
    'low',
    'low',
    'moderate',
    'moderate',
    'high',
    'high',
    'critical',
    'critical',
  ]);
});

test('a level is entered at once', () => {
  expect(levelsAfter([10, 55, 80])).toEqual(['low', 'high', 'critical']);
});

test('a level is left after ten minutes below its bound less five', () => {
  const levels = levelsAfter([60, ...times(11, 44)]);
  expect([levels.at(-2), levels.at(-1)]).toEqual(['high', 'moderate']);
});

test('a score just below the bound holds the level for ever', () => {
  expect(levelsAfter([60, ...times(60, 45)]).at(-1)).toBe('high');
});

test('ten minutes start anew when the score comes back', () => {
  expect(levelsAfter([60, ...times(9, 10), 46, ...times(10, 10)]).at(-1)).toBe('high');
});

test('a score that fell through several bounds leaves all those levels together', () => {
  expect(levelsAfter([80, ...times(11, 3)]).slice(-2)).toEqual(['critical', 'low']);
});

test('a level in between holds for its own ten minutes', () => {
  const levels = levelsAfter([80, ...times(5, 3), 52, ...times(10, 3)]);
  expect([levels[10], levels[11], levels.at(-1)]).toEqual(['critical', 'high', 'high']);
});

test('time in which nothing was measured is not calm', () => {
  const before: LevelState = { level: 'high', belowSinceMs: {} };
  expect(nextLevel(before, { score: 0, nowMs: 500 * minute }).level).toBe('high');
});

test('a gap in which nobody looked does not count as calm', () => {
  const before: LevelState = { level: 'high', belowSinceMs: { moderate: 0, high: 0 } };
  const after = levelAfterGap(before, 500 * minute);
  expect(after).toEqual({ level: 'high', belowSinceMs: { moderate: 500 * minute, high: 500 * minute } });
  const levelAt = (nowMs: number) => nextLevel(after, { score: 0, nowMs }).level;
  expect([levelAt(509 * minute), levelAt(510 * minute)]).toEqual(['high', 'low']);
});

test('a clock that was set back makes the ten minutes begin anew, and no longer than that', () => {
  const ahead: LevelState = { level: 'high', belowSinceMs: { moderate: 900 * minute, high: 900 * minute } };
  const back = nextLevel(ahead, { score: 0, nowMs: 100 * minute });
  expect([back.level, nextLevel(back, { score: 0, nowMs: 110 * minute }).level]).toEqual(['high', 'low']);
});
