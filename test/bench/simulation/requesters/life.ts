import { isInput } from '../../../../src/domain/catalogue.ts';
import { type Chance, createChance } from '../chance.ts';
import { type Day, START_MS } from '../person.ts';
import type { Happening } from '../session.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** One request to come. `isInterrupted`: the person takes the mouse. `program`: the one it comes from, by default the usual one of its requester. `target`: a file or an app. */
export type Wanted = {
  atMs: number;
  userId: string;
  kind: Kind;
  target: string;
  program?: string;
  isInterrupted?: boolean;
};

/**
 * Departures of one day. `failed`: added to the share of failures. `stampedMs`: every prompt is allowed after about so long; `stampedOf`: of this
 * requester alone. `unseen`: the share of effects that cannot be seen. `upFromMs`: the machine is up from then on.
 */
export type Turn = {
  times?: number;
  of?: string;
  failed?: number;
  stampedMs?: number;
  stampedOf?: string;
  unseen?: number;
  upFromMs?: number;
  extra?: readonly Wanted[];
};

export type Kind = { type: string; risk: 'low' | 'medium' | 'high'; tookMs: number };

export const READ: Kind = { type: 'ReadFile', risk: 'low', tookMs: 40 };
export const SCRIPT: Kind = { type: 'RunScript', risk: 'high', tookMs: 2_500 };
export const SCREENSHOT: Kind = { type: 'TakeScreenshot', risk: 'medium', tookMs: 130 };
/** Let through by an access that the person gave. */
export const CLICK: Kind = { type: 'Click', risk: 'medium', tookMs: 300 };
export const ACCESS: Kind = { type: 'RequestAccess', risk: 'medium', tookMs: 10 };
const USUALLY_UNSEEN = 0.1;
const WRITE: Kind = { type: 'WriteFile', risk: 'medium', tookMs: 60 };
const PLAIN: readonly [Kind, ...Kind[]] = [
  { type: 'OpenApp', risk: 'low', tookMs: 1_500 },
  { type: 'DescribeScreen', risk: 'low', tookMs: 450 },
  { type: 'ListFiles', risk: 'low', tookMs: 30 },
  { type: 'QuitApp', risk: 'medium', tookMs: 1_000 },
];
const UP = { fromMs: 8 * HOUR_MS, toMs: 18 * HOUR_MS };
const USUAL_CHARACTERS = 210;
const DELAY_MS = 1_000;
const EXPIRES_MS = 120_000;

/** How one simulated desktop is used when nothing is wrong. Shares are of 1. */
export type Habits = ReturnType<typeof drawHabits>;

function drawHabits(chance: Chance, perDay: number) {
  const assistant = chance.between(0.55, 0.8);
  return {
    perDay,
    assistant,
    daySpread: chance.between(0.2, 0.5),
    weekend: chance.pick([0, 0.3, 1] as const),
    files: chance.between(0.2, 0.45),
    newFiles: chance.between(0.01, 0.06),
    scripts: chance.between(0.003, 0.02),
    captures: chance.between(0.03, 0.1),
    failed: chance.between(0.01, 0.04),
    denied: chance.between(0.03, 0.12),
    away: chance.between(0.01, 0.05),
    answerMs: chance.between(5_500, 12_000),
    hasTwoPrograms: chance.is(0.3),
  };
}

/**
 * A kind of healthy life. `habits`: those that are not drawn. `times`: how many times the usual work a day has. `clicks`: expected on a day, where
 * that is not a few. `projectDays`, `programDays`: a new project, or other programs, every so many days.
 */
export type Healthy = {
  name: string;
  habits?: Partial<Habits>;
  times?(day: number): number;
  clicks?(day: number): number;
  projectDays?: number;
  programDays?: number;
};

const PLAIN_LIFE: Healthy = { name: 'plain' };

/** What holds from some day on: the files that are worked on, the programs, the requesters that were added. */
type Course = { day: number; files: Map<string, string[]>; program: number; added: number };

/**
 * A desktop with an assistant, a script and a helper, and now and then a new tool. Every few weeks there is a new project with its files;
 * programs are replaced about twice a year; one day in forty something is broken. Each day is drawn by itself, so that an incident
 * changes its own days and no others.
 */
export function createRequesterLife({
  seed,
  perDay,
  kind = PLAIN_LIFE,
}: {
  seed: number;
  perDay: number;
  kind?: Healthy;
}) {
  const habits = { ...drawHabits(createChance(seed, 1, perDay), perDay), ...kind.habits };
  const courses: Course[] = [];

  function courseOf(number: number): Course {
    for (let day = courses.length; day <= number; day += 1)
      courses.push(nextCourse(courses.at(-1), { seed, day, habits, kind }));
    return courses[number] ?? nextCourse(undefined, { seed, day: 0, habits, kind });
  }

  return {
    habits,
    day(number: number, turn: Turn = {}): Day {
      const chance = createChance(seed, 3, number, perDay);
      const startMs = START_MS + number * DAY_MS;
      const up = { fromMs: startMs + UP.fromMs, toMs: startMs + UP.toMs };
      const isWeekend = number % 7 >= 5;
      const times = kind.times?.(number) ?? 1;
      const usual = wantedOf({ chance, habits, course: courseOf(number), up, isWeekend, turn, times });
      const expected = kind.clicks?.(number) ?? times * (1 + perDay / 20);
      const clicks = clicksOf(createChance(seed, 4, number), expected, up);
      const wanted = [
        ...usual,
        ...clicks,
        ...(turn.extra ?? []).map((each) => ({ ...each, atMs: startMs + each.atMs })),
      ];
      const failed = habits.failed + (turn.failed ?? 0) + (chance.is(1 / 40) ? 0.08 : 0);
      const write = writer({ chance, habits, number, failed, turn, programs: courseOf(number).program });
      const happenings = wanted.toSorted((one, other) => one.atMs - other.atMs).flatMap(write);
      const whole = { ...up, fromMs: startMs + (turn.upFromMs ?? UP.fromMs) };
      return { number, kind: isWeekend ? 'free' : 'work', up: whole, happenings: inOrder(happenings, up.toMs) };
    },
  };
}

/** A few clicks in two apps, on most days. */
function clicksOf(chance: Chance, expected: number, up: { fromMs: number; toMs: number }): Wanted[] {
  return sessionTimes(chance, chance.poisson(expected), up).map((atMs) => ({
    atMs,
    userId: 'assistant',
    kind: CLICK,
    target: chance.pick(['Mail', 'Notes']),
    isInterrupted: chance.is(0.02),
  }));
}

function inOrder(happenings: readonly Happening[], endMs: number): Happening[] {
  return happenings.filter(({ atMs }) => atMs < endMs).toSorted((one, other) => one.atMs - other.atMs);
}

function nextCourse(
  before: Course | undefined,
  { seed, day, habits, kind }: { seed: number; day: number; habits: Habits; kind: Healthy },
): Course {
  const chance = createChance(seed, 2, day);
  const size = Math.max(8, Math.round(habits.perDay / 5));
  const fresh = (user: string, count: number, from: string) =>
    Array.from({ length: count }, (_, index) => `/home/ann/${user}/${from}/${index}`);
  if (before === undefined) {
    const files = ['assistant', 'script', 'helper'].map((user) => [user, fresh(user, size, 'first')] as const);
    return { day, files: new Map(files), program: 0, added: 0 };
  }
  const files = new Map(before.files);
  const added = before.added + (chance.is(1 / 60) ? 1 : 0);
  if (added > before.added) files.set(`tool ${added}`, fresh(`tool ${added}`, 5, 'first'));
  const isEvery = (days: number | undefined, drawn: boolean) => (days === undefined ? drawn : day % days === 0);
  if (isEvery(kind.projectDays, chance.is(1 / 25))) {
    const known = files.get('assistant') ?? [];
    const taken = Math.round(known.length * chance.between(0.2, 0.5));
    files.set('assistant', [...fresh('assistant', taken, `project ${day}`), ...known].slice(0, known.length));
  }
  return { day, files, program: before.program + (isEvery(kind.programDays, chance.is(1 / 180)) ? 1 : 0), added };
}

type Drawn = {
  chance: Chance;
  habits: Habits;
  course: Course;
  up: { fromMs: number; toMs: number };
  isWeekend: boolean;
  turn: Turn;
  times: number;
};

function wantedOf({ chance, habits, course, up, isWeekend, turn, times: ofDay }: Drawn): Wanted[] {
  const factor = ofDay * chance.around(1, habits.daySpread) * (isWeekend ? habits.weekend : 1);
  const rest = (1 - habits.assistant) / 2;
  const shares = new Map([
    ['assistant', habits.assistant],
    ['script', rest],
    ['helper', rest],
  ]);
  for (let each = 1; each <= course.added; each += 1) shares.set(`tool ${each}`, 0.08);
  return [...shares].flatMap(([userId, share]) => {
    const times = turn.of === userId ? (turn.times ?? 1) : 1;
    // A normal approximation, since a Poisson draw takes long for large numbers.
    const expected = habits.perDay * share * factor;
    const count =
      expected < 30
        ? chance.poisson(expected)
        : Math.max(0, Math.round(expected + chance.normal() * Math.sqrt(expected)));
    return sessionTimes(chance, Math.round(count * times), up).map((atMs) =>
      wantedAt(atMs, userId, { chance, habits, course }),
    );
  });
}

/** Requests come in sessions of about eight. */
function sessionTimes(chance: Chance, count: number, up: { fromMs: number; toMs: number }): number[] {
  const starts = Array.from({ length: Math.ceil(count / 8) }, () => chance.whole(up.fromMs, up.toMs - HOUR_MS));
  return Array.from(
    { length: count },
    (_, index) => (starts[Math.floor(index / 8)] ?? up.fromMs) + (index % 8) * chance.whole(8_000, 60_000),
  );
}

function wantedAt(
  atMs: number,
  userId: string,
  { chance, habits, course }: Pick<Drawn, 'chance' | 'habits' | 'course'>,
): Wanted {
  if (chance.is(habits.scripts)) return { atMs, userId, kind: SCRIPT, target: `${userId} folder` };
  if (chance.is(habits.captures)) return { atMs, userId, kind: SCREENSHOT, target: 'screen' };
  if (!chance.is(habits.files)) return { atMs, userId, kind: chance.pick(PLAIN), target: `app ${chance.whole(1, 6)}` };
  const files = course.files.get(userId) ?? [];
  const target = chance.is(habits.newFiles)
    ? `/home/ann/${userId}/new/${atMs}`
    : (files[Math.floor(files.length * chance.share() ** 2)] ?? '/home/ann/notes');
  return { atMs, userId, kind: chance.is(0.25) ? WRITE : READ, target };
}

type Writing = {
  chance: Chance;
  habits: Habits;
  number: number;
  failed: number;
  turn: Turn;
  programs: number;
};

/** Writes an action down as the journal of the daemon would have it. */
function writer({ chance, habits, number, failed, turn, programs }: Writing): (wanted: Wanted) => Happening[] {
  let count = 0;

  function answered(
    { userId, risk }: { userId: string; risk: Kind['risk'] },
    characters: number,
  ): { status: 'allowed' | 'denied' | 'expired'; afterMs: number } {
    const heldMs = risk === 'high' ? 1_000 : 0;
    if (turn.stampedMs !== undefined && userId === (turn.stampedOf ?? userId)) {
      return { status: 'allowed', afterMs: DELAY_MS + heldMs + chance.around(turn.stampedMs, 0.2) };
    }
    const readMs = habits.answerMs * (0.5 + (0.5 * characters) / USUAL_CHARACTERS);
    const afterMs = DELAY_MS + heldMs + chance.around(readMs, 0.45);
    if (chance.is(habits.away) || afterMs > EXPIRES_MS) return { status: 'expired', afterMs: EXPIRES_MS };
    return { status: chance.is(habits.denied) ? 'denied' : 'allowed', afterMs };
  }

  return ({ atMs, userId, kind, target, program, isInterrupted = false }) => {
    count += 1;
    const actionId = `act_${number}_${count}`;
    const of = { userId, actionId };
    const isAsked = kind.risk !== 'low' && kind !== CLICK;
    const requested = requestedOf({ atMs, userId, kind, target }, { actionId, isAsked });
    const confirmationId = `cnf_${actionId}`;
    const shownMs = atMs + 100;
    const own = habits.hasTwoPrograms && chance.is(0.4) ? 'terminal' : `program ${programs}`;
    const by = { program: program ?? `/usr/bin/${userId}/${own}` };
    const called: Happening = { atMs: shownMs, kind: 'requester.program', ...of, metadata: by };
    if (!isAsked) return [requested, called, ...ran(of, atMs, kind, isInterrupted)];
    const characters = Math.round(Math.min(2_800, chance.around(USUAL_CHARACTERS, 0.6)));
    const { status, afterMs } = answered({ userId, risk: kind.risk }, characters);
    const answerMs = shownMs + Math.round(afterMs);
    return [
      requested,
      called,
      { atMs: shownMs, kind: 'confirmation.shown', ...of, confirmationId, metadata: { delayMs: DELAY_MS, characters } },
      {
        atMs: answerMs,
        kind: `action.${status}`,
        ...of,
        confirmationId,
        metadata: { status: status === 'allowed' ? 'queued' : status, confirmationId },
      },
      ...(status === 'allowed' ? ran(of, answerMs, kind) : []),
    ];
  };

  function ran(
    of: { userId: string; actionId: string },
    atMs: number,
    { type, tookMs }: Kind,
    isInterrupted = false,
  ): Happening[] {
    const endMs = atMs + Math.ceil(chance.around(tookMs, 0.35));
    const isFailed = isInterrupted || chance.is(failed);
    const isUnseen = isInput(type) && chance.is(turn.unseen ?? USUALLY_UNSEEN);
    const effect = isInput(type) ? (isUnseen ? 'unverified' : 'confirmed') : 'none';
    return [
      { atMs, kind: 'action.dispatched', ...of, metadata: { status: 'running', attempt: 1 } },
      isFailed
        ? {
            atMs: endMs,
            kind: 'action.failed',
            ...of,
            metadata: {
              status: 'failed',
              errorCode: isInterrupted ? 'interrupted_by_person' : 'timeout',
              sideEffect: 'unknown',
            },
          }
        : { atMs: endMs, kind: 'action.succeeded', ...of, metadata: { status: 'success', effect } },
    ];
  }
}

function requestedOf(
  { atMs, userId, kind, target }: Wanted,
  { actionId, isAsked }: { actionId: string; isAsked: boolean },
): Happening {
  return {
    atMs,
    kind: 'action.requested',
    userId,
    actionId,
    metadata: {
      type: kind.type,
      target,
      risk: kind.risk,
      irreversible: kind === SCRIPT,
      ...(kind === CLICK || kind === ACCESS ? { app: target } : {}),
      digest: kind === SCREENSHOT ? `${kind.type} ${target}` : actionId,
      verdict: isAsked ? 'ask' : 'allow',
      by: kind === CLICK ? 'acc_1' : 'profile',
    },
  };
}
