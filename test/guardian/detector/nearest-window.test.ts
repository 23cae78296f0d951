import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNearestWindow } from '../../../src/guardian/detector/nearest-window.ts';

const HOUR_MS = 3_600_000;

function distances(values: readonly number[], everyMs = HOUR_MS / 4) {
  const nearest = createNearestWindow();
  return values.map((value, row) => nearest({ atMs: row * everyMs, value }));
}

/** The same by its definition, with no shortcuts. */
function byDefinition(values: readonly number[], everyMs: number) {
  const mean = (end: number) => {
    const part = values.slice(Math.max(0, end - 2), end + 1);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  };
  const row = values.length - 1;
  const ends = [...values.keys()].filter((end) => end >= 12 && end <= row - 12 && (row - end) % 3 === 0);
  const distance = (end: number, lags: readonly number[]) =>
    Math.hypot(...lags.map((lag) => mean(row - lag) - mean(end - lag)));
  const isSameHour = (end: number) => {
    const hours = (((row - end) * everyMs) / HOUR_MS) % 24;
    return hours <= 1 || hours >= 23;
  };
  const least = (of: number[]) => (of.length === 0 ? 0 : Math.min(...of));
  return {
    anyTime: least(ends.map((end) => distance(end, [0, 3, 6, 9]))),
    sameHour: least(ends.filter(isSameHour).map((end) => distance(end, [0, 3]))),
  };
}

test('the distances are those of the most similar earlier window, at any time and at the same hour', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 160 });
  fc.assert(
    fc.property(values, fc.constantFrom(HOUR_MS / 4, HOUR_MS / 2, HOUR_MS), (series, everyMs) => {
      const found = distances(series, everyMs).at(-1);
      const expected = byDefinition(series, everyMs);
      expect(found?.anyTime).toBeCloseTo(expected.anyTime, 9);
      expect(found?.sameHour).toBeCloseTo(expected.sameHour, 9);
    }),
  );
});

test('a repeated shape has distance 0, and the same shape at another hour only at any time', () => {
  const quartersADay = 96;
  const busyFrom = (hour: number) => (quarter: number) => (quarter >= hour * 4 && quarter < hour * 4 + 24 ? 80 : 20);
  const day = (hour: number) => Array.from({ length: quartersADay }, (_, quarter) => busyFrom(hour)(quarter));
  const found = distances([...day(9), ...day(9), ...day(9), ...day(0)]);
  expect(
    found.slice(quartersADay * 2, quartersADay * 3).every(({ anyTime, sameHour }) => anyTime + sameHour === 0),
  ).toBe(true);
  const atThree = found[quartersADay * 3 + 12];
  expect(atThree?.anyTime).toBe(0);
  expect(atThree?.sameHour).toBeCloseTo(Math.hypot(60, 60), 9);
});

test('a shape is forgotten after 4096 values', () => {
  const plateau = new Array<number>(12).fill(80);
  const pauseOf = (length: number) => new Array<number>(length).fill(20);
  const last = (pause: number) => distances([...pauseOf(24), ...plateau, ...pauseOf(pause), ...plateau]).at(-1);
  expect(last(4_071 - 12)?.anyTime).toBe(0);
  expect(last(4_098)?.anyTime).toBeGreaterThan(80);
});
