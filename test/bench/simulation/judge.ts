import type { MetricType } from '../../../src/contract/guardian.ts';
import type { Incident } from './incidents.ts';
import type { Simulated, Warning } from './simulate.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = (365.25 / 12) * DAY_MS;

/** Warnings about one metric, in whatever windows and of whatever kind, none more than a day after the one before was over. */
export type Episode = { metricType: MetricType; fromMs: number; warnings: Warning[] };

export type Catch = { incident: Incident; onsetMs: number; by: Warning | undefined };

export type Judgement = {
  months: number;
  /** In the time before the first incident, when nothing was wrong. */
  falseEpisodes: Episode[];
  falseWarnings: number;
  /** Warnings of something that was really so, though no incident. */
  trueWarnings: number;
  /** Notifications in that time. */
  falselyTold: number;
  catches: Catch[];
};

/** What of the warnings was false, and what came in time. */
export function judge(simulated: Simulated, incidents: readonly Incident[]): Judgement {
  const { warnings, startMs, onsets, toldAtMs } = simulated;
  const firstMs = startMs + Math.min(...incidents.map(({ day }) => day)) * DAY_MS;
  const early = warnings.filter(({ atMs }) => atMs < firstMs);
  const wrong = early.filter((warning) => !isRefusal(warning, simulated));
  return {
    months: (firstMs - startMs) / MONTH_MS,
    falseEpisodes: episodesOf(wrong),
    falseWarnings: wrong.length,
    trueWarnings: early.length - wrong.length,
    falselyTold: toldAtMs.filter((atMs) => atMs < firstMs).length,
    catches: incidents.map((incident) => {
      const onsetMs = onsets.get(incident.name) ?? startMs + incident.day * DAY_MS + incident.fromMs;
      return { incident, onsetMs, by: warnings.find((warning) => catches(warning, incident, onsetMs)) };
    }),
  };
}

/** It says that a key was refused, and within the day before one was. */
function isRefusal({ metricTypes, atMs }: Warning, { refusedAtMs }: Simulated): boolean {
  return metricTypes.includes('control_violations') && refusedAtMs.some((each) => each < atMs && atMs - each < DAY_MS);
}

export function episodesOf(warnings: readonly Warning[]): Episode[] {
  const episodes: (Episode & { untilMs: number })[] = [];
  for (const warning of warnings.toSorted((one, other) => one.atMs - other.atMs)) {
    const { metricTypes, atMs, untilMs } = warning;
    const [metricType] = metricTypes;
    if (metricType === undefined) continue;
    const before = episodes.find((each) => each.metricType === metricType && atMs - each.untilMs < DAY_MS);
    if (before === undefined) episodes.push({ metricType, fromMs: atMs, untilMs, warnings: [warning] });
    else {
      before.warnings.push(warning);
      before.untilMs = Math.max(before.untilMs, untilMs);
    }
  }
  return episodes;
}

/** About one of the metrics it shows in, and no later than two stretches of the warning's own length after it began. */
function catches({ metricTypes, windowMs, atMs }: Warning, { shows }: Incident, onsetMs: number): boolean {
  return metricTypes.some((type) => shows.includes(type)) && atMs > onsetMs && atMs - onsetMs <= 2 * windowMs;
}
