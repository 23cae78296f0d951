import type { MetricType } from '../../../src/contract/guardian.ts';
import type { Chance } from './chance.ts';
import { type Habits, type LivedGrant, nextWorkday } from './habits.ts';
import type { Happening, Mood, Session } from './session.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** The change that an incident makes to one day. Times in milliseconds from the start of that day. */
export type IncidentDay = {
  fromMs: number;
  toMs: number;
  mood?: Mood;
  extra?: readonly Session[];
  happenings?: readonly Happening[];
  losesPermission?: boolean;
};

/**
 * Something that Guardian should tell of. Each one happens in a copy of the quiet life of its own, so that no incident hides another.
 * Its day, hour, size and length are drawn from the seed.
 */
export type Incident = {
  name: string;
  firstDay: number;
  /** By the number of the day. */
  days: ReadonlyMap<number, IncidentDay>;
  /** The kind of its first event. */
  beginsWith: string;
  /** It should be told before this day is over, even where it began long before; otherwise its time counts from its first event. */
  fullFromDay?: number;
  /** Within so many days of use it should be told. */
  withinDays: number;
  /** The metrics in which it shows. */
  shows: readonly MetricType[];
  grants?: readonly LivedGrant[];
  details: string;
};

/** The life that an incident is drawn for. */
export type Drawing = { chance: Chance; habits: Habits; weeks: number };

/** As fast as a usual session, of the first requester. */
export function session(of: Partial<Session>): Session {
  return { userId: 'assistant', startMs: 0, actions: 40, pauseMs: 7_000, isTask: false, mood: {}, ...of };
}

/** A workday in the second half of the quiet weeks. */
export function someWorkday({ chance, habits, weeks }: Drawing): number {
  return nextWorkday(habits, chance.whole(Math.floor((weeks * 7) / 2), weeks * 7 - 3));
}

/** An hour of work from which some hours are left, in milliseconds from the start of the day. */
export function workHourMs({ chance, habits }: Drawing): number {
  return Math.floor(chance.between(habits.workFromHour + 0.5, habits.workToHour - 3) * HOUR_MS);
}

/** So many workdays from one on, each with its incident. */
export function workdays(habits: Habits, firstDay: number, plans: readonly IncidentDay[]): Map<number, IncidentDay> {
  const days = new Map<number, IncidentDay>();
  let day = firstDay;
  for (const plan of plans) {
    day = nextWorkday(habits, day);
    days.set(day, plan);
    day += 1;
  }
  return days;
}
