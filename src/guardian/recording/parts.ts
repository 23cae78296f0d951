import { COUNTERS, type Counter } from '../../contract/counters.ts';
import { emptyRollup, type LogHistogram, mergeInto, type Rollup } from './rollup.ts';

/** The requester, the action type and the device that an event counts for; empty where it has none. */
export type Part = { user: string; type: string; device: string };
export const NO_PART: Part = { user: '', type: '', device: '' };

const PEAKS = ['burstPeak', 'slowestMs'] as const;
const HISTOGRAMS = ['executionMs', 'responseMs', 'taskMs'] as const;

/** What a rollup has of each count, by its name. */
export type Counts = { [Name in Counter | (typeof PEAKS)[number]]?: number } & {
  [Name in (typeof HISTOGRAMS)[number]]?: LogHistogram;
};

/** The counts of a part in a span of time. */
export type PartCounts = Part & { counts: Counts };

/** None of the three holds a line feed. */
export function partKey({ user, type, device }: Part): string {
  return `${user}\n${type}\n${device}`;
}

export function countsOf({ counters, types: _, ...rest }: Rollup): Counts {
  const counts = {};
  mergeCounts(counts, { ...counters, ...rest });
  return counts;
}

/** The parts of several spans, each of them once. */
export function mergedParts(all: readonly PartCounts[]): PartCounts[] {
  const merged = new Map<string, PartCounts>();
  for (const { counts, ...part } of all) {
    const sum = merged.get(partKey(part)) ?? { ...part, counts: {} };
    mergeCounts(sum.counts, counts);
    merged.set(partKey(part), sum);
  }
  return [...merged.values()];
}

export function mergeCounts(sum: Counts, more: Counts): void {
  for (const counter of COUNTERS) {
    const count = more[counter] ?? 0;
    if (count !== 0) sum[counter] = (sum[counter] ?? 0) + count;
    if (sum[counter] === 0) delete sum[counter];
  }
  for (const peak of PEAKS) {
    const largest = Math.max(sum[peak] ?? 0, more[peak] ?? 0);
    if (largest > 0) sum[peak] = largest;
  }
  for (const name of HISTOGRAMS) if (!isNothing(more[name])) sum[name] = merged(sum[name], more[name]);
}

export function isNothing(counts: Counts | LogHistogram = {}): boolean {
  return Object.keys(counts).length === 0;
}

function merged(sum: LogHistogram = {}, more: LogHistogram = {}): LogHistogram {
  mergeInto(sum, more);
  return sum;
}

/** The counts of several parts, as pairs of a place and a number: they are summed up ten times as fast as by their names. */
export type Packed = Float64Array;

const PLACES = new Map<string, number>([...COUNTERS, ...PEAKS].map((name, place) => [name, place]));
const FIRST_PEAK = COUNTERS.length;
const FIRST_BUCKET = FIRST_PEAK + PEAKS.length;
/** Buckets are numbered from -1, and the largest number there is falls into the 919th. */
const BUCKETS = 1_024;
/** Of a counter that is no longer known. */
const NOWHERE = FIRST_BUCKET + HISTOGRAMS.length * BUCKETS;
const FIRST_TYPE = NOWHERE + 1;
/** In the order of their places. */
const TYPES: string[] = [];

export function packed(parts: Iterable<PartCounts>): Packed {
  const sum = new Map<number, number>();
  const add = (place: number, count: number) =>
    sum.set(place, isPeak(place) ? Math.max(sum.get(place) ?? 0, count) : (sum.get(place) ?? 0) + count);
  for (const { type, counts } of parts) {
    if (counts.requested !== undefined) add(placeOfType(type), counts.requested);
    for (const [name, count] of Object.entries(counts)) {
      if (typeof count === 'number') add(PLACES.get(name) ?? NOWHERE, count);
      else for (const bucket in count) add(placeOfBucket(name, Number(bucket)), count[bucket] ?? 0);
    }
  }
  return Float64Array.from([...sum].flat());
}

export function summedUp(all: readonly Packed[]): Rollup {
  const sum = new Float64Array(FIRST_TYPE + TYPES.length);
  for (const pairs of all) addPairs(sum, pairs);
  const rollup = emptyRollup();
  for (const [place, counter] of COUNTERS.entries()) rollup.counters[counter] = sum[place] ?? 0;
  for (const [index, peak] of PEAKS.entries()) rollup[peak] = sum[FIRST_PEAK + index] ?? 0;
  for (const [index, name] of HISTOGRAMS.entries()) rollup[name] = histogramIn(sum, FIRST_BUCKET + index * BUCKETS);
  for (const [index, type] of TYPES.entries()) {
    const count = sum[FIRST_TYPE + index] ?? 0;
    if (count > 0) rollup.types[type] = count;
  }
  return rollup;
}

function addPairs(sum: Float64Array, pairs: Packed): void {
  for (let index = 0; index < pairs.length; index += 2) {
    const place = pairs[index] ?? 0;
    const count = pairs[index + 1] ?? 0;
    const before = sum[place] ?? 0;
    sum[place] = isPeak(place) ? Math.max(before, count) : before + count;
  }
}

function isPeak(place: number): boolean {
  return place >= FIRST_PEAK && place < FIRST_BUCKET;
}

function placeOfBucket(name: string, bucket: number): number {
  return FIRST_BUCKET + (HISTOGRAMS as readonly string[]).indexOf(name) * BUCKETS + bucket + 1;
}

function placeOfType(type: string): number {
  if (!TYPES.includes(type)) TYPES.push(type);
  return FIRST_TYPE + TYPES.indexOf(type);
}

function histogramIn(sum: Float64Array, first: number): LogHistogram {
  const histogram: LogHistogram = {};
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const count = sum[first + bucket] ?? 0;
    if (count > 0) histogram[bucket - 1] = count;
  }
  return histogram;
}
