import type { Recorded } from '../../guardian/recording/metrics.ts';
import { type UpInterval, upTimeIn } from '../../guardian/recording/uptime.ts';
import { DAY_MS, floorTo, rollupPieces } from './rollup-pieces.ts';
import type { createRollupReader } from './rollup-reader.ts';
import type { createRollupTable, Span } from './rollups.ts';

/** How long rows are kept: a span that begins or ends before that has to do so with an hour, or with a day. */
export const ROLLUPS_KEPT_MS = { minute: 35 * DAY_MS, hour: 366 * DAY_MS, day: 5 * 366 * DAY_MS } as const;

/** The events of a span between minute edges, counted; `up`: the stretch that goes on, until `nowMs`. */
export function readRecorded(
  { rollups, reader }: { rollups: ReturnType<typeof createRollupTable>; reader: ReturnType<typeof createRollupReader> },
  { span: { fromMs, toMs }, up, nowMs }: { span: Span; up: UpInterval | undefined; nowMs: number },
): Recorded {
  const keptFromMs = Math.max(fromMs, floorTo(nowMs - ROLLUPS_KEPT_MS.day, DAY_MS));
  const pieces = rollupPieces({ fromMs: keptFromMs, toMs }, rollups.latestMinuteMs() ?? 0);
  const past = rollups.intervals({ fromMs, toMs }).filter(({ seq }) => seq !== up?.seq);
  const intervals = up === undefined ? past : [...past, { ...up, toMs: Math.max(up.toMs, nowMs) }];
  return {
    rollup: reader.sum(pieces),
    upTime: upTimeIn(intervals, { fromMs: keptFromMs, toMs }),
    lengthMs: toMs - fromMs,
  };
}
