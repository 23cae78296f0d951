import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Observation } from '../../src/guardian/detector/detector-channels.ts';
import type { RowRange } from './nab-score.ts';

/** One file of the benchmark. `category`: its folder. `windows`: the labelled rows, empty without labels. */
export type Series = {
  file: string;
  category: string;
  rows: { timestamp: string; value: string }[];
  observations: Observation[];
  windows: RowRange[];
};

/** Reads every `<category>/<file>.csv` of a folder; `areLabelled` tells whether it has a `windows.json`. */
export function readSeries(dataFolder: string): { series: Series[]; areLabelled: boolean } {
  const labels = readLabels(join(dataFolder, 'windows.json'));
  const series = globSync('*/*.csv', { cwd: dataFolder })
    .sort()
    .map((file) => readFile(dataFolder, { file, labels: labels?.[file] ?? [] }));
  return { series, areLabelled: labels !== undefined };
}

/** Writes the anomaly score of each row, in the format of the benchmark's own results. */
export function writeScores(outFolder: string, { file, rows, scores }: Series & { scores: readonly number[] }): void {
  const path = join(outFolder, file);
  mkdirSync(dirname(path), { recursive: true });
  const lines = rows.map(({ timestamp, value }, row) => `${timestamp},${value},${scores[row] ?? 0}`);
  writeFileSync(path, `timestamp,value,anomaly_score\n${lines.join('\n')}\n`);
}

function readLabels(path: string): Record<string, [string, string][]> | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function readFile(dataFolder: string, { file, labels }: { file: string; labels: [string, string][] }): Series {
  const rows = readRows(join(dataFolder, file));
  const observations = rows.map(({ timestamp, value }) => ({ atMs: epochMs(timestamp), value: Number(value) }));
  const windows = labels.map((label) => rowRange(observations, label));
  return { file, category: dirname(file), rows, observations, windows };
}

function readRows(path: string): Series['rows'] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [timestamp, value] = line.trim().split(',');
    if (timestamp === undefined || !Number.isFinite(Number(value)) || Number.isNaN(epochMs(timestamp)))
      throw new Error(`${path}: expected timestamp,value in every row, found "${line}"`);
    return { timestamp, value: String(value) };
  });
}

/** The files have local times without a zone: they are read as UTC, so that hours stay as written. */
function epochMs(timestamp: string): number {
  return Date.parse(`${timestamp.replace(' ', 'T')}Z`);
}

function rowRange(observations: readonly Observation[], [from, to]: [string, string]): RowRange {
  const inside = ({ atMs }: Observation) => atMs >= epochMs(from) && atMs <= epochMs(to);
  return { from: observations.findIndex(inside), to: observations.findLastIndex(inside) };
}
