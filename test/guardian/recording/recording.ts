import type { MetricType } from '../../../src/contract/guardian.ts';
import { recordedEvent } from '../../../src/domain/journal/journal-event.ts';
import { measure, type Recorded } from '../../../src/guardian/recording/metrics.ts';
import { createRecorder } from '../../../src/guardian/recording/recorder.ts';
import { emptyRollup, mergeRollups, type Rollup } from '../../../src/guardian/recording/rollup.ts';
import { advanceUpTime, type UpInterval, upTimeIn } from '../../../src/guardian/recording/uptime.ts';
import type { LooseEvent } from '../../store/other-build.ts';

const MINUTE_MS = 60_000;

/** A row of the journal, of any build. */
export type Row = LooseEvent & { seq: number; atMs: number };

export type Span = { fromMs: number; toMs: number };
export type Recording = { minutes: Map<number, Rollup>; intervals: Map<number, UpInterval> };

/** Minute rows and stretches of being up, from events in the order of the journal. */
export function recordAll(rows: readonly Row[]): Recording {
  const seen = new Map<string, number>();
  const recorder = createRecorder({ lastAtMs: (key) => seen.get(key), note: (key, atMs) => void seen.set(key, atMs) });
  const minutes = new Map<number, Rollup>();
  const intervals = new Map<number, UpInterval>();
  let current: UpInterval | undefined;
  for (const row of rows) {
    const event = recordedEvent({ ...row, metadata: row.metadata });
    const minute = Math.floor(event.atMs / MINUTE_MS) * MINUTE_MS;
    const rollup = minutes.get(minute) ?? emptyRollup();
    minutes.set(minute, rollup);
    recorder.note(event, rollup);
    const advanced = advanceUpTime(current, event);
    current = advanced.current;
    for (const changed of advanced.changed) intervals.set(changed.seq, changed);
  }
  return { minutes, intervals };
}

/** A span between minute edges. */
export function recordedIn({ minutes, intervals }: Recording, { fromMs, toMs }: Span): Recorded {
  const inside = [...minutes].filter(([minute]) => minute >= fromMs && minute < toMs).map(([, rollup]) => rollup);
  return {
    rollup: mergeRollups(inside),
    upTime: upTimeIn(intervals.values(), { fromMs, toMs }),
    lengthMs: toMs - fromMs,
  };
}

/** A metric over an hour with these events, the daemon up all along, with everything that happened so many times over. */
export function measured(type: MetricType, events: readonly Happening[], times = 1): number | null {
  const hour: Happening[] = [[0, 'daemon.started'], ...events, [3_600_000, 'daemon.stopped']];
  const { rollup, upTime, lengthMs } = recordedIn(recordAll(journal(hour)), { fromMs: 0, toMs: 3_660_000 });
  const repeated = mergeRollups(Array.from({ length: times }, () => rollup));
  return measure(type, { rollup: repeated, upTime, lengthMs }).value;
}

/** At so many milliseconds, what, to which action, with which facts; the fact `plan` is the confirmation it is about. */
export type Happening = [atMs: number, kind: string, actionId?: string | undefined, metadata?: Record<string, unknown>];

export function journal(happenings: readonly Happening[]): Row[] {
  return happenings.map(([atMs, kind, actionId, metadata], index) => ({
    seq: index + 1,
    atMs,
    kind,
    userId: String(metadata?.user ?? 'ann'),
    actionId,
    ...(typeof metadata?.plan === 'string' && { confirmationId: metadata.plan }),
    metadata,
  }));
}
