import type { Database } from 'better-sqlite3';
import type { Counter } from '../../contract/counters.ts';
import { METRICS } from '../../contract/metrics.ts';
import { isInput } from '../../domain/catalogue.ts';
import {
  type Counts,
  countsOf,
  isNothing,
  mergeCounts,
  mergedParts,
  type Packed,
  type Part,
  type PartCounts,
  packed,
  partKey,
} from '../../guardian/recording/parts.ts';
import type { Rollup } from '../../guardian/recording/rollup.ts';
import type { InputsOfHour, TypeCounts } from '../../guardian/requesters/usual-days.ts';
import { storedJson } from '../database/stored-values.ts';
import { COUNTS_KEPT_MS, floorTo, type Piece, piecesOf, SPAN_MS, type Span, type Unit } from './units.ts';

/** What was counted in the minute, the hour or the day that begins at a time. */
type Counted = { startMs: number; parts: Map<string, PartCounts>; total?: Packed };

const UNITS: readonly Unit[] = ['minute', 'hour', 'day'];
/** How many units and parts of units are remembered; some hundred bytes each. */
const MOST_REMEMBERED = 60_000;
/** A piece of more units than this is read past what is remembered. */
const MOST_OF_A_PIECE = 2_000;

/**
 * The counts of each minute, hour and day, by requester, action type and device. A unit is remembered once it was read: units of the past
 * do not change, and windows have most of theirs in common.
 */
export function createCounts(database: Database) {
  const put = database.prepare(
    'INSERT OR REPLACE INTO guardian_counts (unit, start_ms, user_id, action_type, device_id, counts) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const between = database.prepare<unknown[], Stored>(
    `SELECT start_ms AS startMs, user_id AS user, action_type AS type, device_id AS device, counts FROM guardian_counts
     WHERE unit = ? AND start_ms >= ? AND start_ms < ? ORDER BY start_ms`,
  );
  const latest = database
    .prepare<unknown[], number | null>(`SELECT max(start_ms) FROM guardian_counts WHERE unit = 'minute'`)
    .pluck();
  const any = database.prepare('SELECT 1 FROM guardian_counts LIMIT 1');
  const prune = database.prepare('DELETE FROM guardian_counts WHERE unit = ? AND start_ms < ?');
  const remembered = {
    minute: new Map<number, Counted>(),
    hour: new Map<number, Counted>(),
    day: new Map<number, Counted>(),
  };
  let size = 0;
  let latestMs: number | undefined;

  function forget(): void {
    for (const units of Object.values(remembered)) units.clear();
    [size, latestMs] = [0, undefined];
  }

  function read({ unit, fromMs, toMs }: Piece): Counted[] {
    const count = (toMs - fromMs) / SPAN_MS[unit];
    if (count > MOST_OF_A_PIECE) return [...stored({ unit, fromMs, toMs }).values()];
    if (size > MOST_REMEMBERED) forget();
    const known = remembered[unit];
    const unknown: number[] = [];
    for (let startMs = fromMs; startMs < toMs; startMs += SPAN_MS[unit]) if (!known.has(startMs)) unknown.push(startMs);
    remember(unit, unknown);
    const units: Counted[] = [];
    for (let startMs = fromMs; startMs < toMs; startMs += SPAN_MS[unit]) {
      const counted = known.get(startMs);
      if (counted !== undefined) units.push(counted);
    }
    return units;
  }

  function remember(unit: Unit, starts: readonly number[]): void {
    const [first, last] = [starts[0], starts.at(-1)];
    if (first === undefined || last === undefined) return;
    const found = stored({ unit, fromMs: first, toMs: last + 1 });
    for (const startMs of starts) {
      const counted = found.get(startMs) ?? { startMs, parts: new Map() };
      remembered[unit].set(startMs, counted);
      size += 1 + counted.parts.size;
    }
  }

  function stored({ unit, fromMs, toMs }: Piece): Map<number, Counted> {
    const found = new Map<number, Counted>();
    for (const { startMs, user, type, device, counts } of between.all(unit, fromMs, toMs)) {
      const counted = found.get(startMs) ?? { startMs, parts: new Map() };
      const part = { user, type, device, counts: storedJson<Counts>(counts) };
      counted.parts.set(partKey(part), part);
      found.set(startMs, counted);
    }
    return found;
  }

  function store(unit: Unit, counted: Counted, part: PartCounts): void {
    counted.parts.set(partKey(part), part);
    delete counted.total;
    put.run(unit, counted.startMs, part.user, part.type, part.device, JSON.stringify(part.counts));
  }

  /** The start of the latest minute in which anything happened. */
  function latestMinuteMs(): number | undefined {
    latestMs ??= latest.get() ?? undefined;
    return latestMs;
  }

  /** Sums up an hour or a day from the units within it. */
  function fold(unit: 'hour' | 'day', fromMs: number): void {
    const span = { fromMs, toMs: fromMs + SPAN_MS[unit] };
    const finer = read({ unit: unit === 'hour' ? 'minute' : 'hour', ...span });
    for (const counted of read({ unit, ...span }))
      for (const part of mergedParts(finer.flatMap(({ parts }) => [...parts.values()]))) store(unit, counted, part);
  }

  function within(span: Span): Counted[] {
    const counted: Counted[] = [];
    for (const piece of piecesOf(span, latestMinuteMs()))
      for (const unit of read(piece)) if (unit.parts.size > 0) counted.push(unit);
    return counted;
  }

  function addAt(unit: Unit, atMs: number, all: readonly PartCounts[]): void {
    const fromMs = floorTo(atMs, SPAN_MS[unit]);
    for (const counted of read({ unit, fromMs, toMs: fromMs + SPAN_MS[unit] })) {
      for (const { counts, ...part } of all) {
        const sum = counted.parts.get(partKey(part)) ?? { ...part, counts: {} };
        mergeCounts(sum.counts, counts);
        store(unit, counted, sum);
      }
    }
  }

  return {
    /** Adds what was counted of some parts in a minute, and sums up the hour and the day that end before it. Only inside a write transaction. */
    add(minuteMs: number, added: Iterable<Added>): void {
      const parts = [...added].map(({ part, rollup }) => ({ ...part, counts: countsOf(rollup) }));
      const all = parts.filter(({ counts }) => !isNothing(counts));
      if (all.length === 0) return;
      const latestBeforeMs = latestMinuteMs() ?? minuteMs;
      addAt('minute', minuteMs, all);
      for (const unit of ['hour', 'day'] as const) {
        const [start, before] = [floorTo(minuteMs, SPAN_MS[unit]), floorTo(latestBeforeMs, SPAN_MS[unit])];
        if (start > before) fold(unit, before);
        // The clock was set back, and this one is summed up already.
        if (start < before) addAt(unit, minuteMs, all);
      }
      latestMs = Math.max(latestBeforeMs, minuteMs);
    },
    /** Call this after a transaction may have been rolled back. */
    forget,
    /** The minutes, hours and days that make up a span between minute edges, those in which something was counted. */
    within,
    isEmpty: (): boolean => any.get() === undefined,
    /** Removes what is no longer kept. Only inside a write transaction. */
    prune(nowMs: number): void {
      const lastMs = latestMinuteMs();
      if (lastMs !== undefined && lastMs < nowMs - COUNTS_KEPT_MS.minute)
        for (const unit of ['hour', 'day'] as const) fold(unit, floorTo(lastMs, SPAN_MS[unit]));
      for (const unit of UNITS) if (prune.run(unit, nowMs - COUNTS_KEPT_MS[unit]).changes > 0) forget();
    },
    /** Before the whole journal is counted anew. */
    clear(): void {
      forget();
      database.exec('DELETE FROM guardian_counts');
    },
  };
}

export function totalOf(counted: Counted): Packed {
  counted.total ??= packed(counted.parts.values());
  return counted.total;
}

/** What was counted of a part. */
type Added = { part: Part; rollup: Rollup };

type Stored = { startMs: number; user: string; type: string; device: string; counts: string };

/** The property that the events of a sum have in common. */
export type PartOf = keyof typeof PROPERTIES;

/** Sums over events with one property in common. `key` is empty for events without that property. */
export type PartSum = { key: string; count: number; total: number };

type Counters = readonly Counter[];

/** The first and the last time of something; epoch ms. */
export type Edges = { firstMs: number; lastMs: number };

const PROPERTIES = { requester: 'user', type: 'type', device: 'device' } as const;
const MOST_GROUPS = 5_000;
/** A requester has a line where one of these moved; others move for events that are no work, such as a wrong key. */
const OF_LINES: Counters = [
  ...new Set(Object.values(METRICS).flatMap(({ hits, of = [] }) => [...hits, ...of])),
  ...(['interrupted', 'unverified', 'confirmed'] as const),
];

/** Sums of some counters by a property, the largest first. */
export function sumsBy(units: readonly Counted[], by: PartOf, of: { count: Counters; total: Counters }): PartSum[] {
  return [...Map.groupBy(partsOf(units), (part) => part[PROPERTIES[by]])]
    .map(([key, parts]) => ({ key, count: sumOf(parts, of.count), total: sumOf(parts, of.total) }))
    .filter(({ count, total }) => count !== 0 || total !== 0)
    .sort((one, other) => other.count - one.count || other.total - one.total || order(one.key, other.key));
}

/** The counts of each requester by action type, the most requested first. */
export function requestersIn(units: readonly Counted[]): (TypeCounts & { userId: string })[] {
  const groups = Map.groupBy(partsOf(units).filter(isOfLine), ({ user, type }) => `${user}\n${type}`);
  return [...groups.values()]
    .map((parts) => ({
      userId: parts[0]?.user ?? '',
      type: parts[0]?.type ?? '',
      requested: sumOf(parts, ['requested']),
      novel: sumOf(parts, ['novel']),
      high: sumOf(parts, ['requestedHigh', 'requestedCritical']),
      captured: sumOf(parts, ['captured']),
      prompted: sumOf(parts, ['prompted']),
      succeeded: sumOf(parts, ['succeeded']),
      failed: sumOf(parts, ['failed']),
      interrupted: sumOf(parts, ['interrupted']),
    }))
    .sort(
      (one, other) => other.requested - one.requested || order(one.userId, other.userId) || order(one.type, other.type),
    )
    .slice(0, MOST_GROUPS);
}

/** The clicks and keys of each requester in the hour that begins at a time. */
export function inputsIn(units: readonly Counted[], atMs: number): (InputsOfHour & { userId: string })[] {
  const inputs = Map.groupBy(
    partsOf(units).filter(({ type, counts }) => counts.requested !== undefined && isInput(type)),
    ({ user }) => user,
  );
  return [...inputs]
    .map(([userId, parts]) => ({ userId, atMs, inputs: sumOf(parts, ['requested']) }))
    .filter((hour) => hour.inputs > 0);
}

/** When some counters were first and last above 0: to the minute at the edges of a span, else to the hour or the day. */
export function edgesOf(units: readonly Counted[], counters: Counters): Edges | undefined {
  const starts = units.filter((each) => sumOf(partsOf([each]), counters) > 0).map(({ startMs }) => startMs);
  return starts.length === 0 ? undefined : { firstMs: Math.min(...starts), lastMs: Math.max(...starts) };
}

function isOfLine({ user, counts }: PartCounts): boolean {
  return user !== '' && OF_LINES.some((counter) => counts[counter] !== undefined);
}

function partsOf(units: readonly Counted[]): PartCounts[] {
  return units.flatMap(({ parts }) => [...parts.values()]);
}

function sumOf(parts: readonly PartCounts[], names: Counters): number {
  let sum = 0;
  for (const { counts } of parts) for (const name of names) sum += counts[name] ?? 0;
  return sum;
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
