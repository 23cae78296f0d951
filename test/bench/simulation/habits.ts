import { type Chance, createChance } from './chance.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The streams of random numbers of one life. */
export const STREAMS = { habits: 0, projects: 1, incidents: 2, days: 3, programs: 4 } as const;

/** A grant for one kind of action of one requester, good on all days from the first on and before the last. */
export type LivedGrant = { id: string; userId: string; actionType: string; fromDay: number; toDay: number };

/** How one simulated person and their requesters live. Hours are of the day; local time is UTC. */
export type Habits = {
  /** The machine runs day and night. Otherwise it is up for nine to ten hours of a workday, and seldom at weekends. */
  alwaysOn: boolean;
  pace: 'quiet' | 'usual' | 'busy';
  upFromHour: number;
  upToHour: number;
  workFromHour: number;
  workToHour: number;
  /** Sessions of all assistants together in an hour of work, and in one of leisure. */
  sessionsAnHour: number;
  leisureSessionsAnHour: number;
  /** Actions of a session: the median. They are log-normal with a heavy tail. */
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
  /** Each with the day on which it first asks for something. */
  requesters: [Requester, ...Requester[]];
  grants: LivedGrant[];
  /** From that day on the requester comes from another program. */
  programChanges: { userId: string; fromDay: number }[];
};

type Requester = { userId: string; fromDay: number };

export type DayKind = 'work' | 'free' | 'away';

/** More than twice as much would be more prompts than a person can answer with care, so something would be wrong. */
const PACES = { quiet: 0.3, usual: 1, busy: 2 } as const;

/** The seed decides the kind of life, so that any twelve seeds in a row have all of them; chance decides the rest. */
export function drawHabits(seed: number, weeks: number): Habits {
  const chance = createChance(seed, STREAMS.habits);
  const alwaysOn = seed % 5 === 0;
  const pace = (['quiet', 'busy', 'usual'] as const)[seed % 3] ?? 'usual';
  const workFromHour = chance.between(7.5, 10);
  const workToHour = workFromHour + chance.between(7.5, 8.5);
  const upFromHour = workFromHour - chance.between(0.2, 0.7);
  const requesters = requestersIn(chance, { seed, weeks });
  const holidays = holidaysIn(chance, weeks);
  const grants = requesters.flatMap((requester) => grantsOf(chance, { requester, weeks }));
  const workdayFrom = (day: number) => nextWorkday({ holidays }, day);
  return {
    alwaysOn,
    pace,
    upFromHour,
    upToHour: upFromHour + chance.between(9, 10),
    workFromHour,
    workToHour,
    sessionsAnHour: PACES[pace] * chance.around(1, 0.2),
    leisureSessionsAnHour: alwaysOn ? PACES[pace] * chance.around(0.12, 0.4) : 0,
    actionsASession: chance.around(25, 0.3),
    elevatedShare: chance.between(0.08, pace === 'busy' ? 0.18 : 0.25),
    failedShare: chance.between(0.01, 0.04),
    deniedShare: chance.between(0.03, 0.12),
    awayShare: chance.between(0.01, 0.05),
    // A median below 3.5 s counts as rubber-stamping; a careful person stays well above it.
    responseMs: Math.max(4_500, chance.around(6_500, 0.3)),
    growthAWeek: chance.between(0.985, 1.02),
    holidays,
    scriptHours: chance.is(0.7) ? [Math.floor(workFromHour) + 0.5, 13, ...(alwaysOn ? [3] : [])] : [],
    requesters,
    programChanges: programChangesIn(createChance(seed, STREAMS.programs), requesters, weeks),
    grants: grants.map((each) => ({
      ...each,
      fromDay: workdayFrom(each.fromDay),
      toDay: workdayFrom(Math.max(each.toDay, each.fromDay + 7)),
    })),
  };
}

export function dayKind({ holidays }: Pick<Habits, 'holidays'>, day: number): DayKind {
  if (holidays.some(({ fromDay, toDay }) => day >= fromDay && day < toDay)) return 'away';
  // The simulation begins on a Monday.
  return day % 7 >= 5 ? 'free' : 'work';
}

/** That day, or the first workday after it. */
export function nextWorkday(habits: Pick<Habits, 'holidays'>, day: number): number {
  let next = day;
  while (dayKind(habits, next) !== 'work') next += 1;
  return next;
}

/** When the machine is up, in milliseconds from the start of the day; `null` when it is off all day. */
export function upTimes(habits: Habits, kind: DayKind, chance: Chance): { fromMs: number; toMs: number } | null {
  if (habits.alwaysOn) return { fromMs: 0, toMs: DAY_MS };
  if (kind === 'away' || (kind === 'free' && !chance.is(0.1))) return null;
  const fromMinute = Math.floor(habits.upFromHour * 60 + chance.between(0, 15));
  const toMinute = Math.floor(habits.upToHour * 60 - chance.between(0, 20));
  const shortMinutes = chance.whole(60, 180);
  return {
    fromMs: MINUTE_MS * fromMinute,
    toMs: MINUTE_MS * (kind === 'free' ? fromMinute + shortMinutes : toMinute),
  };
}

/** How long the machine is up on a workday. */
export function dayOfUseMs({ alwaysOn, upFromHour, upToHour }: Habits): number {
  return alwaysOn ? DAY_MS : (upToHour - upFromHour) * HOUR_MS;
}

/** Sessions of the assistants to be expected in the hour that begins at a time of the day. */
export function sessionsExpected(habits: Habits, of: { kind: DayKind; hour: number; week: number }): number {
  if (of.kind === 'away') return 0;
  const { workFromHour, workToHour, sessionsAnHour, leisureSessionsAnHour, growthAWeek } = habits;
  const atWork = of.kind === 'work' && of.hour >= Math.floor(workFromHour) && of.hour < workToHour;
  const atNight = of.hour < 7 || of.hour >= 23;
  const lunch = of.hour >= 12 && of.hour < 13 ? 0.4 : 1;
  const usual = atWork ? sessionsAnHour * lunch : leisureSessionsAnHour;
  return atNight ? 0 : usual * growthAWeek ** of.week;
}

/** One week or two away in a quarter of a year, and some days off now and then. */
function holidaysIn(chance: Chance, weeks: number): Habits['holidays'] {
  const days = weeks * 7;
  if (weeks < 8) return [];
  const long = chance.whole(5 * 7, days - 21);
  const single = Array.from({ length: Math.floor(weeks / 6) }, () => chance.whole(7, days - 7));
  return [
    { fromDay: long, toDay: long + chance.pick([7, 9, 14]) },
    ...single.map((day) => ({ fromDay: day, toDay: day + chance.whole(1, 2) })),
  ];
}

/** One to five, most of them from the first days on. */
function requestersIn(chance: Chance, { seed, weeks }: { seed: number; weeks: number }): Habits['requesters'] {
  const others = Array.from({ length: Math.floor(seed / 3) % 5 }, (_, index) => ({
    userId: `assistant-${index + 2}`,
    fromDay: chance.is(0.6) ? chance.whole(0, 3) : chance.whole(4, weeks * 7),
  }));
  return [{ userId: 'assistant', fromDay: 0 }, ...others];
}

/** About twice a year. */
function programChangesIn(chance: Chance, requesters: Habits['requesters'], weeks: number): Habits['programChanges'] {
  return Array.from({ length: chance.poisson(weeks / 26) }, () => {
    return { userId: chance.pick(requesters).userId, fromDay: chance.whole(7, weeks * 7) };
  });
}

/** Given in the first days, and then now and then. A person revokes one in a while, or it runs out after 90 days. */
function grantsOf(chance: Chance, { requester, weeks }: { requester: Requester; weeks: number }): LivedGrant[] {
  const { userId } = requester;
  const later = Array.from({ length: Math.floor(weeks / 4) }, () => chance.whole(5, weeks * 7));
  const days = [...Array.from({ length: chance.whole(1, 3) }, () => chance.whole(0, 4)), ...later];
  return days.map((day, index) => {
    const fromDay = requester.fromDay + day;
    return {
      id: `grt_${userId}_${index}`,
      userId,
      actionType: chance.pick(['TakeScreenshot', 'QuitApp', 'WriteFile']),
      fromDay,
      toDay: fromDay + Math.min(90, Math.ceil(chance.around(50, 0.6))),
    };
  });
}
