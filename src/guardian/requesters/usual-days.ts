import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isCapture, isInput } from '../../domain/catalogue.ts';
import { clamp } from '../statistics/statistics.ts';

/** The clicks and keys of the hour that begins at a time. */
export type InputsOfHour = { atMs: number; inputs: number };

/** The counts of one requester on one local day, by action type, and its clicks and keys by the hour. */
export type RequesterDay = { userId: string; types: readonly TypeCounts[]; hours: readonly InputsOfHour[] };

/** `novel`: requests for a target that was new to the requester. `captured`: times that it was shown the screen. */
export type TypeCounts = {
  type: string;
  requested: number;
  novel: number;
  high: number;
  captured: number;
  prompted: number;
  succeeded: number;
  failed: number;
  /** Ended because the person took the mouse or the keyboard. */
  interrupted: number;
};

/** The amounts by which a day is compared with others. */
const MEASURES = ['requested', 'high', 'novel', 'captured', 'inputs', 'interrupted'] as const;
export type Measure = (typeof MEASURES)[number];
/** `prompted`: the questions to the person; `promptedForScreen`: those for the screen. */
/** `newApps`: the apps that it asked access to for the first time. */
export type Amounts = Record<Measure | 'prompted' | 'promptedForScreen' | 'newApps', number>;

export function amountsOf(day: RequesterDay): Amounts {
  return {
    requested: total(day, 'requested'),
    high: total(day, 'high'),
    novel: total(day, 'novel'),
    captured: total(day, 'captured'),
    inputs: total(ofTypes(day, isInput), 'requested'),
    interrupted: total(day, 'interrupted'),
    newApps: total(ofTypes(day, isAccess), 'novel'),
    prompted: total(day, 'prompted'),
    promptedForScreen: total(ofTypes(day, isCapture), 'prompted'),
  };
}

const isAccess = (type: string) => type === requestAccess.name;

function ofTypes(day: RequesterDay, isOne: (type: string) => boolean): RequesterDay {
  return { ...day, types: day.types.filter(({ type }) => isOne(type)) };
}

export function total({ types }: RequesterDay, count: Exclude<keyof TypeCounts, 'type'>): number {
  return types.reduce((sum, each) => sum + each[count], 0);
}

/**
 * The days of one requester by which the next one is judged, oldest first. `seen`: on how many days in all. `told`: the measures that were
 * told on its latest day. `nights`: its days with clicks and keys at night, as far as they were not told.
 */
export type Past = { days: readonly Amounts[]; seen: number; told: readonly Measure[]; nights: number };

/** `limit`: an amount above it is told. `most`: the most on the days before, `null` where too few are known and the limit is a fixed one. */
type Limit = { limit: number; most: number | null };

export type Exceeded = Limit & { measure: Measure; amount: number };

/** From so many days on a requester has a past of its own; from the second number on, its two largest days are left out. */
const LEAST_DAYS = 3;
const KNOWN_DAYS = 14;
const KEPT_DAYS = 28;
const LARGEST_LEFT_OUT = 2;

/**
 * `least`: a smaller amount is never told. `times`: the most of the days before, so often, is the limit; `timesAtFirst` while only some days
 * are known. `fixed`: the limit without any past; `null` where desktops differ too much for one. All of our own judgement, checked by
 * simulation.
 */
const BOUNDS: Record<Measure, { least: number; times: number; timesAtFirst: number; fixed: number | null }> = {
  requested: { least: 18, times: 2.5, timesAtFirst: 2.25, fixed: null },
  high: { least: 7, times: 2, timesAtFirst: 3, fixed: 15 },
  novel: { least: 15, times: 2.5, timesAtFirst: 3, fixed: null },
  captured: { least: 15, times: 2.5, timesAtFirst: 4, fixed: 200 },
  inputs: { least: 25, times: 2.5, timesAtFirst: 3, fixed: null },
  interrupted: { least: 4, times: 2, timesAtFirst: 3, fixed: 8 },
};

/** Of so few days the largest says little: so many times the second largest is the limit of requests, and at least this number. */
const FEW = { days: 4, times: 3, requested: 25 };

/** A busy requester begins new work in larger heaps: so many of its requests may be for new targets on any day. */
const NOVEL_SHARE = 0.1;

/**
 * New work begins in one heap, and less is new on the day after it. So a second day above the most is told if it has this part of the first day, and
 * both days together are more than one heap.
 */
const SECOND_DAY = 0.7;

/** An amount that was told goes to and fro, so on the next day a smaller one is told: this part of the limit. */
const PART_OF_LIMIT = 0.5;
/** On the first two days of a program, this part of the limit is told of what a thief of its name would read. */
const FRESH_PART = 0.35;
const READING: readonly Measure[] = ['novel', 'captured'];

export const NO_PAST: Past = { days: [], seen: 0, told: [], nights: 0 };

/** A requester that acts at night for the first time, and one that was let into one more app on each of so many days in a row. Our own. */
const AT_NIGHT = { fromHour: 23, toHour: 6, inputs: 10 };
const GROWING_DAYS = 5;

/** Its clicks and keys at night, where it never made any at such an hour before. */
export function inputsAtNight({ hours }: RequesterDay, { seen, nights }: Past): number {
  const inputs = hours.filter(isAtNight).reduce((sum, hour) => sum + hour.inputs, 0);
  return seen < LEAST_DAYS || nights > 0 || inputs < AT_NIGHT.inputs ? 0 : inputs;
}

function isAtNight({ atMs }: { atMs: number }): boolean {
  const hour = new Date(atMs).getHours();
  return hour >= AT_NIGHT.fromHour || hour < AT_NIGHT.toHour;
}

/** The days in a row on which it asked to be let into an app that was new to it, where it did not do so before. */
export function daysOfNewApps({ newApps }: Amounts, { days }: Past): number {
  const lately = days.slice(1 - GROWING_DAYS);
  const before = days.slice(0, 1 - GROWING_DAYS).filter((day) => day.newApps > 0).length;
  const isGrowing = lately.length === GROWING_DAYS - 1 && newApps > 0 && lately.every((day) => day.newApps > 0);
  return isGrowing && days.length >= GROWING_DAYS + LEAST_DAYS && 2 * before < days.length ? GROWING_DAYS : 0;
}

/** The amounts of a day that are far beyond those of the days before. `isFresh`: a program used its name for the first time that day or the day before. */
export function exceeded(amounts: Amounts, past: Past, isFresh = false): Exceeded[] {
  return MEASURES.flatMap((measure) => {
    const bound = limitOf(measure, amounts, past, isFresh);
    if (bound === null || amounts[measure] <= bound.limit) return [];
    return { ...bound, measure, amount: amounts[measure] };
  });
}

/**
 * The past after one more day. A day that was told teaches nothing until the person says that it was expected: an attack that goes on must
 * not become usual. The first days always teach, since nothing else can.
 */
export function pastAfter(past: Past, day: RequesterDay, isExpected: boolean): Past {
  const amounts = amountsOf(day);
  const told = isExpected ? [] : exceeded(amounts, past).flatMap(({ measure, most }) => (most === null ? [] : measure));
  const days = told.length > 0 ? past.days : [...past.days, amounts].slice(-KEPT_DAYS);
  const isUsualNight = day.hours.some(isAtNight) && (isExpected || inputsAtNight(day, past) === 0);
  return { days, seen: past.seen + 1, told, nights: past.nights + (isUsualNight ? 1 : 0) };
}

/** Whether the requester was seen on so few days that limits are fixed ones. */
export function isYoung({ seen }: Past): boolean {
  return seen < KNOWN_DAYS;
}

/** The most of a measure on the days before. The largest two are left out once enough are known. */
export function mostOf(measure: Measure, { days }: Past): number | null {
  if (days.length < LEAST_DAYS) return null;
  return ascending(measure, days).at(days.length < KNOWN_DAYS ? -1 : -1 - LARGEST_LEFT_OUT) ?? null;
}

function ascending(measure: Measure, days: readonly Amounts[]): number[] {
  return days.map((day) => day[measure]).toSorted((one, other) => one - other);
}

/** At first nearly everything is new, so the middle stands for the most. */
function comparedWith(measure: Measure, past: Past): number | null {
  const { days } = past;
  if (days.length < LEAST_DAYS || days.length >= KNOWN_DAYS) return mostOf(measure, past);
  const sorted = ascending(measure, days);
  if (measure === 'novel') return sorted[Math.floor((days.length - 1) / 2)] ?? null;
  if (measure !== 'requested' || days.length > FEW.days) return sorted.at(-1) ?? null;
  return Math.max(FEW.requested, FEW.times * (sorted.at(-2) ?? 0)) / BOUNDS.requested.timesAtFirst;
}

function limitOf(measure: Measure, amounts: Amounts, past: Past, isFresh: boolean): Limit | null {
  const { least, times, timesAtFirst, fixed } = BOUNDS[measure];
  const compared = comparedWith(measure, past);
  const most = mostOf(measure, past);
  if (compared === null || most === null) return fixed === null ? null : { limit: fixed, most };
  const usual = compared * (past.days.length < KNOWN_DAYS ? timesAtFirst : times);
  const [ofWork, busier] = measure === 'requested' ? [0, 1] : [heapOf(measure, past), busierBy(amounts, past)];
  const again =
    measure === 'novel' ? limitOfSecondDay(past, Math.max(least, compared * busier)) : Number.POSITIVE_INFINITY;
  const ofTold = past.told.includes(measure) ? PART_OF_LIMIT : 1;
  const part = isFresh && READING.includes(measure) ? FRESH_PART : ofTold;
  return { limit: Math.floor(part * Math.min(again, Math.max(least, ofWork, usual * busier))), most };
}

/** The limit of new targets on the day after one with more than `many` of them. */
function limitOfSecondDay(past: Past, many: number): number {
  const first = past.days.at(-1)?.novel ?? 0;
  if (past.days.length < KNOWN_DAYS || first <= many) return Number.POSITIVE_INFINITY;
  return Math.max(many, SECOND_DAY * first, heapOf('novel', past) - first);
}

function heapOf(measure: Measure, past: Past): number {
  return measure === 'novel' ? NOVEL_SHARE * (mostOf('requested', past) ?? 0) : 0;
}

/** A day with more requests has more of everything. A day with far more is told for its requests. */
function busierBy({ requested }: Amounts, past: Past): number {
  return clamp(requested / Math.max(1, mostOf('requested', past) ?? 1), { from: 1, to: BOUNDS.requested.times });
}
