/** The weights of true positives, false positives and missed windows in one of NAB's profiles. */
export type Profile = { truePositive: number; falsePositive: number; falseNegative: number };

export const PROFILES = {
  standard: { truePositive: 1, falsePositive: 0.11, falseNegative: 1 },
  'low FP': { truePositive: 1, falsePositive: 0.22, falseNegative: 1 },
  'low FN': { truePositive: 1, falsePositive: 0.11, falseNegative: 2 },
} satisfies Record<string, Profile>;

/** Anomaly scores from 0 to 1, one a row, and the labelled windows as first and last row, in order of time. */
export type ScoredSeries = { scores: readonly number[]; windows: readonly RowRange[] };
export type RowRange = { from: number; to: number };

/** The gain of detections over silence, and the gain of perfect detections. The pooled result of several series adds up both. */
export type Gain = { gain: number; perfect: number };

/** The gain of detections at some rows of one series. */
export function nabGain(
  detections: readonly number[],
  { rows, windows, profile }: { rows: number; windows: readonly RowRange[]; profile: Profile },
): Gain {
  const tally = createTally([{ windows }], profile);
  const probation = probationRows(rows);
  for (const row of detections) if (row >= probation) tally.add(worthOf(row, windows));
  return tally.gain();
}

/** NAB's result of several series: 100 is perfect, 0 is the result of silence. NaN without any window. */
export function nabResult(gains: readonly Gain[]): number {
  const sum = (part: keyof Gain) => gains.reduce((total, each) => total + each[part], 0);
  return sum('perfect') === 0 ? Number.NaN : (100 * sum('gain')) / sum('perfect');
}

/** NAB's result with every row at or above the threshold as a detection: 100 is perfect, 0 is the result of silence. */
export function nabScore(corpus: readonly ScoredSeries[], profile: Profile, threshold: number): number {
  const tally = createTally(corpus, profile);
  for (const mark of marksOf(corpus)) if (mark.score >= threshold) tally.add(mark);
  return tally.result();
}

/** The threshold with the best result, the same for all series, which is how NAB compares detectors. */
export function bestThreshold(
  corpus: readonly ScoredSeries[],
  profile: Profile,
): { threshold: number; result: number } {
  const descending = marksOf(corpus).sort((one, other) => other.score - one.score);
  const tally = createTally(corpus, profile);
  let best = { threshold: Number.POSITIVE_INFINITY, result: 0 };
  for (const [index, mark] of descending.entries()) {
    tally.add(mark);
    const complete = descending[index + 1]?.score !== mark.score;
    if (complete && tally.result() > best.result) best = { threshold: mark.score, result: tally.result() };
  }
  return best;
}

/** The rows at the start that NAB lets a detector learn from and does not score. */
export function probationRows(rows: number): number {
  return Math.min(Math.floor(0.15 * rows), 750);
}

/** One scored row. `worth`: from 1, first row of its window, to 0 at the window's end and −1 far away from any. */
type Mark = { score: number; worth: number; window: RowRange | undefined };

function marksOf(corpus: readonly ScoredSeries[]): Mark[] {
  return corpus.flatMap(({ scores, windows }) => {
    const probation = probationRows(scores.length);
    return scores.map((score, row) => ({ score, ...worthOf(row, windows) })).slice(probation);
  });
}

function worthOf(row: number, windows: readonly RowRange[]): Pick<Mark, 'worth' | 'window'> {
  const window = windows.find(({ from, to }) => row >= from && row <= to);
  if (window !== undefined) {
    const width = window.to - window.from + 1;
    return { window, worth: sigmoid(-(window.to - row + 1) / width) / sigmoid(-1) };
  }
  const before = windows.findLast(({ to }) => to < row);
  if (before === undefined) return { window, worth: -1 };
  const widthsPast = (row - before.to) / (before.to - before.from);
  return { window, worth: widthsPast >= 3 ? -1 : sigmoid(widthsPast) };
}

/** NAB's S(p): 1 well before the end of a window, 0 at it, −1 well after it. */
function sigmoid(position: number): number {
  return 2 / (1 + Math.exp(5 * position)) - 1;
}

/** Adds up what detections gain over silence; of several in one window only the best counts. */
function createTally(corpus: readonly Pick<ScoredSeries, 'windows'>[], profile: Profile) {
  const windowCount = corpus.reduce((sum, { windows }) => sum + windows.length, 0);
  const perfect = windowCount * (profile.truePositive + profile.falseNegative);
  const bestIn = new Map<RowRange, number>();
  let gain = 0;

  function addHit(window: RowRange, worth: number): void {
    const before = bestIn.get(window);
    if (before === undefined) gain += profile.falseNegative + profile.truePositive * worth;
    else gain += profile.truePositive * Math.max(0, worth - before);
    bestIn.set(window, Math.max(worth, before ?? worth));
  }

  return {
    add({ window, worth }: Pick<Mark, 'window' | 'worth'>): void {
      if (window === undefined) gain += profile.falsePositive * worth;
      else addHit(window, worth);
    },
    gain: (): Gain => ({ gain, perfect }),
    result: () => (100 * gain) / perfect,
  };
}
