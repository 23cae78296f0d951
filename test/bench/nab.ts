import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ALARM_SCORE, createDetector } from '../../src/guardian/detector.ts';
import { bestThreshold, nabScore, PROFILES, probationRows, type RowRange, type ScoredSeries } from './nab-score.ts';

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

type Row = { timestamp: string; value: string };
type Result = ScoredSeries & { file: string; rows: Row[] };

const { values: options } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } });
const files = options.data === undefined ? [] : globSync('*/*.csv', { cwd: options.data }).sort();
if (options.data === undefined || files.length === 0) {
  console.log(`bench:nab skipped: no <category>/<file>.csv in ${options.data ?? '--data, which was not given'}.`);
  console.log('Expected: npm run bench:nab -- --data <folder with the files and windows.json> [--out <folder>]');
} else {
  benchmark(options.data, options.out);
}

/** Detects in every file with the one production setting, writes the scores, and where there are labels judges them. */
function benchmark(dataFolder: string, outFolder: string | undefined): void {
  const labels = readLabels(join(dataFolder, 'windows.json'));
  const startedMs = performance.now();
  const results = files.map((file) => detect(dataFolder, file, labels?.[file] ?? []));
  const seconds = (performance.now() - startedMs) / 1000;
  const rows = results.reduce((sum, result) => sum + result.rows.length, 0);
  console.log(
    `${results.length} files, ${rows} rows in ${seconds.toFixed(1)} s, ${((seconds * 1e6) / rows).toFixed(0)} µs a row\n`,
  );
  if (outFolder !== undefined) for (const result of results) writeScores(outFolder, result);
  if (labels === undefined) console.log('No windows.json in the data folder: scores were not judged.');
  else report(results);
}

function readLabels(path: string): Record<string, [string, string][]> | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function detect(dataFolder: string, file: string, labels: [string, string][]): Result {
  const rows = readRows(join(dataFolder, file));
  const detector = createDetector();
  const scores = rows.map(({ timestamp, value }) => detector({ atMs: epochMs(timestamp), value: Number(value) }).score);
  return { file, rows, scores, windows: labels.map((label) => rowRange(rows, label)) };
}

function readRows(path: string): Row[] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [timestamp, value] = line.trim().split(',');
    if (timestamp === undefined || !Number.isFinite(Number(value)) || Number.isNaN(epochMs(timestamp)))
      throw new Error(`${path}: expected timestamp,value in every row, found "${line}"`);
    return { timestamp, value: String(value) };
  });
}

/** Times in the files are local and carry no zone: kept as they stand. */
function epochMs(timestamp: string): number {
  return Date.parse(`${timestamp.replace(' ', 'T')}Z`);
}

function rowRange(rows: readonly Row[], [from, to]: [string, string]): RowRange {
  const inside = (timestamp: string) => epochMs(timestamp) >= epochMs(from) && epochMs(timestamp) <= epochMs(to);
  return {
    from: rows.findIndex(({ timestamp }) => inside(timestamp)),
    to: rows.findLastIndex(({ timestamp }) => inside(timestamp)),
  };
}

function writeScores(outFolder: string, { file, rows, scores }: Result): void {
  const path = join(outFolder, file);
  mkdirSync(dirname(path), { recursive: true });
  const lines = rows.map(({ timestamp, value }, row) => `${timestamp},${value},${scores[row] ?? 0}`);
  writeFileSync(path, `timestamp,value,anomaly_score\n${lines.join('\n')}\n`);
}

function report(results: readonly Result[]): void {
  console.log(row('file', ['windows', 'found', 'false']));
  for (const result of results) console.log(row(result.file, countsOf(result)));
  const optimum = Object.values(PROFILES).map((profile) => bestThreshold(results, profile));
  const fixed = Object.values(PROFILES).map((profile) => nabScore(results, profile, ALARM_SCORE));
  console.log(`\n${row('NAB score', Object.keys(PROFILES))}`);
  console.log(scoreRow(`Handrail, threshold fixed beforehand at ${ALARM_SCORE}`, fixed));
  console.log(
    scoreRow(
      'Handrail, best threshold of each profile',
      optimum.map(({ result }) => result),
    ),
  );
  console.log(
    row(
      '  which is',
      optimum.map(({ threshold }) => threshold.toFixed(3)),
    ),
  );
  console.log('Published, best threshold, on the 31 files of ../shared/data/nab:');
  for (const [name, ...scores] of PUBLISHED_ON_31_FILES) console.log(scoreRow(`  ${name}`, scores));
  console.log('Published, best threshold, on all 58 files:');
  for (const [name, ...scores] of PUBLISHED_ON_ALL_FILES) console.log(scoreRow(`  ${name}`, scores));
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
