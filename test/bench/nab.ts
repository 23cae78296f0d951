import { parseArgs } from 'node:util';
import {
  ALARM_SCORE,
  createDetector,
  DETECTOR_SETTINGS,
  type DetectorSettings,
} from '../../src/guardian/detector/detector.ts';
import { mean, sampleVariance } from '../../src/guardian/statistics/statistics.ts';
import { byCategory, choose, crossValidate, gainsBy, runCandidates } from './nab-cross-validation.ts';
import { readSeries, type Series, writeScores } from './nab-data.ts';
import { bestThreshold, nabResult, nabScore, PROFILES, probationRows, type RowRange } from './nab-score.ts';
import { bootstrap, halfSplits } from './nab-spread.ts';

/** Standard, low FP and low FN: Numenta's published results scored on the 31 files of ../shared/data/nab, 57 windows. */
const PUBLISHED_ON_31_FILES: [string, number, number, number][] = [
  ['Numenta HTM', 71.2, 65.0, 75.9],
  ['KNN-CAD', 64.4, 50.4, 71.0],
  ['Relative Entropy', 56.3, 48.8, 60.9],
  ['Twitter ADVec', 46.4, 33.2, 52.6],
  ['Etsy Skyline', 37.2, 30.7, 44.1],
  ['windowed Gaussian', 36.7, 21.4, 45.2],
];
/** The same, as published, on all files of the benchmark. */
const PUBLISHED_ON_ALL_FILES: [string, number, number, number][] = [
  ['Numenta HTM', 70.5, 62.6, 75.2],
  ['CAD-OSE', 69.9, 67.0, 73.2],
  ['KNN-CAD', 58.0, 43.4, 64.8],
  ['Relative Entropy', 54.6, 47.6, 58.8],
  ['Twitter ADVec', 47.1, 33.6, 53.5],
  ['windowed Gaussian', 39.6, 20.9, 47.4],
  ['random', 11.0, 1.2, 19.5],
];

type Result = Series & { scores: number[] };

const { values: options } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } });
const { series, areLabelled } =
  options.data === undefined ? { series: [], areLabelled: false } : readSeries(options.data);
if (series.length === 0) {
  console.log(`bench:nab skipped: no <category>/<file>.csv in ${options.data ?? '--data, which was not given'}.`);
  console.log('Expected: npm run bench:nab -- --data <folder with the files and windows.json> [--out <folder>]');
} else {
  const results = detectAll();
  if (options.out !== undefined) for (const result of results) writeScores(options.out, result);
  if (areLabelled) {
    reportFixed(results);
    reportCrossValidated();
    reportPublished();
  } else console.log('No windows.json in the data folder: scores were not judged.');
}

/** Detects in every file with the settings of the product. */
function detectAll(): Result[] {
  const startedMs = performance.now();
  const results = series.map((each) => {
    const detector = createDetector();
    return { ...each, scores: each.observations.map((observation) => detector(observation).score) };
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const rows = results.reduce((sum, each) => sum + each.rows.length, 0);
  const microseconds = ((seconds * 1e6) / rows).toFixed(0);
  console.log(`${results.length} files, ${rows} rows in ${seconds.toFixed(1)} s, ${microseconds} µs a row\n`);
  return results;
}

function reportFixed(results: readonly Result[]): void {
  console.log(row('file', ['windows', 'found', 'false']));
  for (const result of results) console.log(row(result.file, countsOf(result)));
  const fixed = Object.values(PROFILES).map((profile) => nabScore(results, profile, ALARM_SCORE));
  const optimum = Object.values(PROFILES).map((profile) => bestThreshold(results, profile).result);
  console.log(`\n${row('NAB score of all files', Object.keys(PROFILES))}`);
  console.log(scoreRow(`Handrail, fixed settings of the product (${textOf(DETECTOR_SETTINGS)})`, fixed));
  console.log(scoreRow('Handrail, best threshold of each profile', optimum));
}

/** Every figure is of files that were held out: settings and threshold were chosen on the others, by the standard profile. */
function reportCrossValidated(): void {
  const candidates = runCandidates(series);
  const groups = byCategory(series);
  const profile = PROFILES.standard;
  const folds = crossValidate(series, { candidates, groups, profile });
  console.log(`\n${row('Cross-validation: held-out category', ['windows', 'trained', 'held out'])}`);
  for (const { name, files, settings, training, heldOut } of folds) {
    const windows = files.reduce((sum, file) => sum + (series[file]?.windows.length ?? 0), 0);
    console.log(row(`${name} (${textOf(settings)})`, [windows, training.toFixed(1), nabResult(heldOut).toFixed(1)]));
  }
  const gains = folds.flatMap(({ heldOut }) => heldOut);
  const perFold = folds.map(({ heldOut }) => nabResult(heldOut)).filter(Number.isFinite);
  const { from, to } = bootstrap(gains);
  console.log(`\nCross-validated NAB score, standard profile: ${nabResult(gains).toFixed(1)}`);
  console.log(`  over ${perFold.length} categories: mean ${meanAndDeviation(perFold)}`);
  console.log(`  middle 90 % of bootstrap samples of the files: ${from.toFixed(1)} to ${to.toFixed(1)}`);
  const halves = halfSplits(series, { candidates, profile });
  console.log(`  over ${halves.length} random halves, chosen on the other half: mean ${meanAndDeviation(halves)}`);
  const all = { files: [...series.keys()], gainsOf: gainsBy(series, profile) };
  console.log(`  the rule chooses on all files: ${textOf(choose(candidates, all).candidate.settings)}`);
}

function reportPublished(): void {
  console.log(`\n${row('Published, best threshold of each profile', Object.keys(PROFILES))}`);
  console.log('On the 31 files of ../shared/data/nab:');
  for (const [name, ...scores] of PUBLISHED_ON_31_FILES) console.log(scoreRow(`  ${name}`, scores));
  console.log('On all 58 files:');
  for (const [name, ...scores] of PUBLISHED_ON_ALL_FILES) console.log(scoreRow(`  ${name}`, scores));
}

function textOf({ ordinaryShare, threshold }: DetectorSettings): string {
  return `share ${ordinaryShare}, threshold ${threshold}`;
}

function meanAndDeviation(values: readonly number[]): string {
  return `${mean(values).toFixed(1)}, standard deviation ${Math.sqrt(sampleVariance(values)).toFixed(1)}`;
}

function countsOf({ scores, windows }: Result): number[] {
  const alarms = [...scores.keys()].filter(
    (at) => at >= probationRows(scores.length) && (scores[at] ?? 0) >= ALARM_SCORE,
  );
  const isIn = (alarm: number, { from, to }: RowRange) => alarm >= from && alarm <= to;
  const found = windows.filter((window) => alarms.some((alarm) => isIn(alarm, window)));
  const strays = alarms.filter((alarm) => !windows.some((window) => isIn(alarm, window)));
  return [windows.length, found.length, strays.length];
}

function scoreRow(name: string, scores: readonly number[]): string {
  return row(
    name,
    scores.map((score) => score.toFixed(1)),
  );
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(64) + cells.map((cell) => String(cell).padStart(9)).join('');
}
