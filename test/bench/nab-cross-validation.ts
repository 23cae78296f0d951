import { combined, createRatios, type DetectorSettings, QUIET_MS } from '../../src/guardian/detector/detector.ts';
import { createDeviations, type Observation } from '../../src/guardian/detector/detector-channels.ts';
import { type Gain, nabGain, nabResult, type Profile, type RowRange } from './nab-score.ts';

/** The settings that folds choose from. */
const ORDINARY_SHARES = [0.5, 0.6, 0.7, 0.8, 0.9];
const THRESHOLDS = [0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.3];

export type LabelledSeries = {
  file: string;
  category: string;
  observations: readonly Observation[];
  windows: readonly RowRange[];
};

/** One setting of the grid, by its place in it, and the rows it detects in each series. */
export type Candidate = { settings: DetectorSettings; share: number; level: number; detections: number[][] };

/** A part of the files that is held out. `settings`: chosen on all other files. */
export type Fold = { name: string; files: number[]; settings: DetectorSettings; training: number; heldOut: Gain[] };

/** Runs every setting over every series: deviations are measured once, daily bars once for each share. */
export function runCandidates(series: readonly LabelledSeries[]): Candidate[] {
  const candidates = ORDINARY_SHARES.flatMap((ordinaryShare, share) =>
    THRESHOLDS.map((threshold, level) => ({
      settings: { ordinaryShare, threshold },
      share,
      level,
      detections: [] as number[][],
    })),
  );
  for (const { observations } of series) {
    const deviationsOf = createDeviations();
    const deviations = observations.map(deviationsOf);
    for (const [share, ordinaryShare] of ORDINARY_SHARES.entries()) {
      const ratiosOf = createRatios(ordinaryShare);
      const ratios = deviations.map((each, row) =>
        combined(ratiosOf({ atMs: observations[row]?.atMs ?? 0, deviations: each })),
      );
      for (const candidate of candidates.filter((each) => each.share === share))
        candidate.detections.push(onsets(observations, { ratios, threshold: candidate.settings.threshold }));
    }
  }
  return candidates;
}

/**
 * The setting for files that nobody has seen: the one whose neighbourhood in the grid has the best mean result on the training files, so
 * that a narrow peak, which is mostly luck, does not win.
 */
export function choose(
  candidates: readonly Candidate[],
  { files, gainsOf }: { files: readonly number[]; gainsOf: (candidate: Candidate) => Gain[] },
): { candidate: Candidate; training: number } {
  const results = new Map(
    candidates.map((each) => {
      const gains = gainsOf(each);
      return [each, nabResult(files.flatMap((file) => gains[file] ?? []))];
    }),
  );
  const meanAround = (centre: Candidate) => {
    const around = candidates.filter((each) => isNeighbour(each, centre));
    return around.reduce((sum, each) => sum + (results.get(each) ?? 0), 0) / around.length;
  };
  const [first, ...others] = candidates.map((candidate) => ({ candidate, mean: meanAround(candidate) }));
  if (first === undefined) throw new Error('expected at least one candidate, found none');
  const { candidate } = others.reduce((best, each) => (each.mean > best.mean ? each : best), first);
  return { candidate, training: results.get(candidate) ?? 0 };
}

/** Holds out one group of files after the other; the setting for each is chosen on the rest. */
export function crossValidate(
  series: readonly LabelledSeries[],
  {
    candidates,
    groups,
    profile,
  }: { candidates: readonly Candidate[]; groups: Map<string, number[]>; profile: Profile },
): Fold[] {
  const gainsOf = gainsBy(series, profile);
  const all = [...series.keys()];
  return [...groups].map(([name, files]) => {
    const rest = all.filter((file) => !files.includes(file));
    const { candidate, training } = choose(candidates, { files: rest, gainsOf });
    const gains = gainsOf(candidate);
    return { name, files, settings: candidate.settings, training, heldOut: files.flatMap((file) => gains[file] ?? []) };
  });
}

/** Files by category. The artificial ones are one group, since a category without any window has no result of its own. */
export function byCategory(series: readonly LabelledSeries[]): Map<string, number[]> {
  const nameOf = (file: number) => (series[file]?.category ?? '').replace(/^artificial.*/, 'artificial');
  return Map.groupBy(series.keys(), nameOf);
}

/** The gains of a candidate in every series, computed once. */
export function gainsBy(series: readonly LabelledSeries[], profile: Profile): (candidate: Candidate) => Gain[] {
  const known = new Map<Candidate, Gain[]>();
  return (candidate) => {
    const gains =
      known.get(candidate) ??
      series.map(({ observations, windows }, file) =>
        nabGain(candidate.detections[file] ?? [], { rows: observations.length, windows, profile }),
      );
    known.set(candidate, gains);
    return gains;
  };
}

function isNeighbour(one: Candidate, other: Candidate): boolean {
  return Math.abs(one.share - other.share) <= 1 && Math.abs(one.level - other.level) <= 1;
}

/** Rows at which a detector with this threshold would alarm: the 24 hours after an alarm are silent. */
function onsets(
  observations: readonly Observation[],
  { ratios, threshold }: { ratios: readonly number[]; threshold: number },
): number[] {
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  return [...observations.entries()].flatMap(([row, { atMs }]) => {
    if (atMs < quietUntilMs || (ratios[row] ?? 0) < threshold) return [];
    quietUntilMs = atMs + QUIET_MS;
    return [row];
  });
}
