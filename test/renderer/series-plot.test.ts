import { expect, test } from 'vitest';
import { seriesOptions } from '../../renderer/src/charts/series-plot.ts';

const COLOURS = {
  text: '#000000',
  muted: '#555555',
  line: '#cccccc',
  surface: '#ffffff',
  accent: '#006644',
  low: '#003366',
  medium: '#885500',
  high: '#aa3300',
  critical: '#aa0000',
};

test('a value without a neighbour is drawn as a point, and others are joined by the line alone', () => {
  const { series } = seriesOptions(COLOURS, {
    words: String,
    marks: () => ({ off: [], limits: { green: null, red: null } }),
  });
  const points = series[3]?.points;
  const data = [[1, 2, 3, 4, 5, 6, 7], [], [], [8, null, 0, null, 3, 4, null]];
  expect(points).toMatchObject({ show: true });
  expect(Object(points).filter({ data }, 3)).toEqual([0, 2]);
});
