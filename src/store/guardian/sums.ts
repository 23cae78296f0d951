import type { Counter } from '../../contract/counters.ts';
import { METRICS } from '../../contract/metrics.ts';
import { isInput } from '../../domain/catalogue.ts';
import type { PartCounts } from '../../guardian/recording/parts.ts';
import type { InputsOfHour, TypeCounts } from '../../guardian/requesters/requester-day.ts';
import type { Counted } from './counts.ts';

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
