import type { MetricType } from '../../../src/contract/guardian.ts';
import { TREND_WINDOWS } from '../../../src/guardian/metric-window.ts';
import type { Incident } from './incidents.ts';
import type { Simulated, Warning } from './simulate.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = (365.25 / 12) * DAY_MS;

/** Warnings about one metric, in whatever windows, none more than a day after the one before was over. */
export type Episode = { metricType: MetricType; fromMs: number; warnings: Warning[] };

export type Catch = { incident: Incident; onsetMs: number; by: Warning | undefined };

export type Judgement = {
  months: number;
  /** In the time before the first incident, when nothing was wrong. */
  falseEpisodes: Episode[];
  falseTrends: number;
  catches: Catch[];
};

/** What of the warnings was false, and what came in time. */
export function judge({ warnings, startMs, onsets }: Simulated, incidents: readonly Incident[]): Judgement {
  const firstMs = startMs + Math.min(...incidents.map(({ day }) => day)) * DAY_MS;
  const early = warnings.filter(({ atMs }) => atMs < firstMs);
  return {
    months: (firstMs - startMs) / MONTH_MS,
    falseEpisodes: episodesOf(early),
    falseTrends: early.length,
    catches: incidents.map((incident) => {
      const onsetMs = onsets.get(incident.name) ?? startMs + incident.day * DAY_MS + incident.fromMs;
      return { incident, onsetMs, by: warnings.find((warning) => catches(warning, incident, onsetMs)) };
    }),
  };
}

export function episodesOf(warnings: readonly Warning[]): Episode[] {
  const episodes: (Episode & { untilMs: number })[] = [];
  for (const warning of warnings.toSorted((one, other) => one.atMs - other.atMs)) {
    const { metricType, atMs, untilMs } = warning;
    const before = episodes.find((each) => each.metricType === metricType && atMs - each.untilMs < DAY_MS);
    if (before === undefined) episodes.push({ metricType, fromMs: atMs, untilMs, warnings: [warning] });
    else {
      before.warnings.push(warning);
      before.untilMs = Math.max(before.untilMs, untilMs);
    }
  }
  return episodes;
}

/** In one of the metrics it shows in, and no later than two windows of that length after it began. */
function catches({ metricType, window, atMs }: Warning, { shows }: Incident, onsetMs: number): boolean {
  return shows.includes(metricType) && atMs > onsetMs && atMs - onsetMs <= 2 * TREND_WINDOWS[window];
}
