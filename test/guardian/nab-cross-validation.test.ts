import { expect, test } from 'vitest';
import { createDetector } from '../../src/guardian/detector/detector.ts';
import {
  byCategory,
  type Candidate,
  choose,
  crossValidate,
  gainsBy,
  type LabelledSeries,
  runCandidates,
} from '../bench/nab-cross-validation.ts';
import { nabGain, nabResult, PROFILES } from '../bench/nab-score.ts';
import { bootstrap } from '../bench/nab-spread.ts';

const profile = PROFILES.standard;
const window = { from: 50, to: 59 };

/** A hundred rows with one window. */
const seriesIn = (category: string): LabelledSeries => ({
  file: `${category}/a.csv`,
  category,
  observations: Array.from({ length: 100 }, (_, row) => ({ atMs: row * 60_000, value: row })),
  windows: [window],
});

/** A candidate in a row of the grid. `found`: the series in which it finds the window in its first row. */
const candidate = (level: number, found: readonly number[], series = 3): Candidate => ({
  settings: { ordinaryShare: 0.5, threshold: level },
  share: 0,
  level,
  detections: Array.from({ length: series }, (_, file) => (found.includes(file) ? [window.from] : [])),
});

test('the result of several series pools the gains of their detections', () => {
  const gain = (detections: number[], windows = [window]) => nabGain(detections, { rows: 100, windows, profile });
  expect(nabResult([gain([50])])).toBe(100);
  expect(nabResult([gain([50]), gain([])])).toBe(50);
  expect(nabResult([gain([50]), gain([30], [])])).toBeCloseTo(100 - (100 * 0.11) / 2, 12);
  expect(nabResult([gain([14])])).toBe(0);
  expect(nabResult([gain([30], [])])).toBeNaN();
});

test('a setting is chosen by the results around it, so that a narrow peak does not win', () => {
  const series = [seriesIn('one'), seriesIn('two'), seriesIn('three')];
  const peak = candidate(0, [0, 1, 2]);
  const plateau = candidate(4, [0, 1]);
  const candidates = [peak, candidate(1, []), candidate(3, [0, 1]), plateau, candidate(5, [0, 1])];
  const chosen = choose(candidates, { files: [0, 1, 2], gainsOf: gainsBy(series, profile) });
  expect(chosen.candidate.level).toBeGreaterThanOrEqual(3);
  expect(chosen.training).toBeCloseTo(200 / 3, 9);
});

test('a held-out category has no say in the setting it is judged with', () => {
  const series = [seriesIn('one'), seriesIn('two'), seriesIn('three')];
  const candidates = [candidate(0, [0]), candidate(3, [1, 2])];
  const folds = crossValidate(series, { candidates, groups: byCategory(series), profile });
  expect(folds.map(({ name, settings, heldOut }) => [name, settings.threshold, nabResult(heldOut)])).toEqual([
    ['one', 3, 0],
    ['two', 0, 0],
    ['three', 0, 0],
  ]);
});

test('the artificial categories are one group, every other category its own', () => {
  const series = ['artificialNoAnomaly', 'artificialWithAnomaly', 'realTraffic', 'realTweets'].map(seriesIn);
  expect([...byCategory(series)]).toEqual([
    ['artificial', [0, 1]],
    ['realTraffic', [2]],
    ['realTweets', [3]],
  ]);
});

test('the candidates detect in the same rows as the detector of the product with their settings', () => {
  const observations = Array.from({ length: 12 * 96 }, (_, row) => ({
    atMs: row * 900_000,
    value: 100 + ((row * 7919) % 13) + (row % 250 === 249 ? 60 : 0) + (row > 1_000 ? 25 : 0),
  }));
  const candidates = runCandidates([{ file: 'a/a.csv', category: 'a', observations, windows: [] }]);
  for (const { settings, detections } of candidates) {
    const detect = createDetector(settings);
    const alarms = observations.flatMap((observation, row) => (detect(observation).alarm ? [row] : []));
    expect(detections).toEqual([alarms]);
  }
  expect(candidates.some(({ detections }) => detections.flat().length > 0)).toBe(true);
});

test('the bootstrap range holds the pooled result and is a point where all files agree', () => {
  const found = { gain: 2, perfect: 2 };
  const missed = { gain: 0, perfect: 2 };
  expect(bootstrap([found, found, found])).toEqual({ from: 100, to: 100 });
  const { from, to } = bootstrap([found, missed, found, missed, found, missed]);
  expect(from).toBeLessThan(50);
  expect(to).toBeGreaterThan(50);
});
