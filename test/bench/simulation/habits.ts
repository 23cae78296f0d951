import type { Chance } from './chance.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How one simulated person and their helpers live; drawn once for each seed. Hours are of the day, local time being UTC. */
export type Habits = {
  /** Whether the machine runs at night and at weekends; otherwise it sleeps when nobody is there. */
  alwaysOn: boolean;
  upFromHour: number;
  upToHour: number;
  workFromHour: number;
  workToHour: number;
  /** Sessions of the assistant in an hour of work, and in one of leisure. */
  sessionsAnHour: number;
  leisureSessionsAnHour: number;
  /** Actions of a session: the median; they are log-normal with a heavy tail. */
  actionsASession: number;
  elevatedShare: number;
  failedShare: number;
  deniedShare: number;
  awayShare: number;
  responseMs: number;
  /** Change of the work from week to week: 1.01 is one in a hundred more. */
  growthAWeek: number;
  holidays: { fromDay: number; toDay: number }[];
  /** Local hours of a script that runs on workdays. */
  scriptHours: number[];
};

export type DayKind = 'work' | 'free' | 'away';

export function drawHabits(chance: Chance, weeks: number): Habits {
  const workFromHour = chance.between(7.5, 10);
  return {
    alwaysOn: chance.is(0.3),
    upFromHour: workFromHour - chance.between(0.3, 1.5),
    upToHour: chance.between(21, 23.8),
    workFromHour,
    workToHour: workFromHour + chance.between(7, 9.5),
    sessionsAnHour: chance.around(1, 0.3),
    leisureSessionsAnHour: chance.around(0.15, 0.4),
    actionsASession: chance.around(25, 0.3),
    elevatedShare: chance.between(0.08, 0.25),
    failedShare: chance.between(0.01, 0.04),
    deniedShare: chance.between(0.03, 0.12),
    awayShare: chance.between(0.01, 0.05),
    responseMs: chance.around(6_000, 0.25),
    growthAWeek: chance.between(0.985, 1.02),
    holidays: holidaysIn(chance, weeks),
    scriptHours: chance.is(0.7) ? [Math.floor(workFromHour) + 0.5, 13] : [],
  };
}

export function dayKind({ holidays }: Habits, day: number): DayKind {
  if (holidays.some(({ fromDay, toDay }) => day >= fromDay && day < toDay)) return 'away';
  // The simulation begins on a Monday.
  return day % 7 >= 5 ? 'free' : 'work';
}

/** Whether the machine is up, and when; in milliseconds from the start of the day. */
export function upTimes(habits: Habits, kind: DayKind, chance: Chance): { fromMs: number; toMs: number } | null {
  if (habits.alwaysOn) return { fromMs: 0, toMs: DAY_MS };
  if (kind === 'away' || (kind === 'free' && chance.is(0.25))) return null;
  const laterMs = kind === 'free' ? chance.between(0, 2) * 3_600_000 : 0;
  return {
    fromMs: MINUTE_MS * Math.floor(habits.upFromHour * 60 + laterMs / MINUTE_MS + chance.between(0, 15)),
    toMs: MINUTE_MS * Math.floor(habits.upToHour * 60 - chance.between(0, 45)),
  };
}

/** Sessions of the assistant to be expected in the hour that begins at a time of the day. */
export function sessionsExpected(habits: Habits, of: { kind: DayKind; hour: number; week: number }): number {
  if (of.kind === 'away') return 0;
  const { workFromHour, workToHour, sessionsAnHour, leisureSessionsAnHour, growthAWeek } = habits;
  const atWork = of.kind === 'work' && of.hour >= workFromHour && of.hour < workToHour;
  const atNight = of.hour < habits.upFromHour || of.hour >= habits.upToHour;
  const lunch = of.hour >= 12 && of.hour < 13 ? 0.4 : 1;
  const usual = atWork ? sessionsAnHour * lunch : leisureSessionsAnHour;
  return atNight ? 0 : usual * growthAWeek ** of.week;
}

/** One or two weeks away in half a year, and three days off now and then. */
function holidaysIn(chance: Chance, weeks: number): Habits['holidays'] {
  const days = weeks * 7;
  const long = chance.whole(5 * 7, Math.max(5 * 7, days - 21));
  const single = Array.from({ length: Math.floor(weeks / 8) }, () => chance.whole(7, days - 7));
  return [
    { fromDay: long, toDay: long + chance.pick([7, 9, 14]) },
    ...single.map((day) => ({ fromDay: day, toDay: day + chance.whole(1, 2) })),
  ];
}
