import { type Chance, createChance } from './chance.ts';
import { type DayKind, dayKind, drawHabits, type Habits, sessionsExpected, upTimes } from './habits.ts';
import type { Incident } from './incidents.ts';
import { createSessions, drawProject, type Happening, type Mood, type Project } from './session.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One day of a life: what would be in the journal, in order, and when the machine was up. */
export type Day = {
  number: number;
  kind: DayKind;
  up: { fromMs: number; toMs: number } | null;
  happenings: Happening[];
};

/**
 * A person with an assistant and some scripts, day after day from a Monday on: workdays, weekends, days off, projects that change,
 * sessions that come in clusters and are now and then many times as long, apps that break for a while, an agent that hiccups.
 */
export function* livePerson(options: {
  seed: number;
  weeks: number;
  startMs: number;
  incidents: readonly Incident[];
}): Generator<Day> {
  const chance = createChance(options.seed);
  const habits = drawHabits(chance, options.weeks);
  const write = createSessions(chance, habits);
  let project = drawProject(chance, 0);
  const days = options.weeks * 7;
  for (let number = 0; number < days; number += 1) {
    if (chance.is(1 / 18)) project = drawProject(chance, number);
    const incidents = options.incidents.filter(({ day }) => day === number);
    const kind = incidents.length > 0 ? 'work' : dayKind(habits, number);
    yield liveDay({
      number,
      kind,
      chance,
      habits,
      write,
      project,
      incidents,
      startMs: options.startMs + number * DAY_MS,
    });
  }
}

type Living = {
  number: number;
  kind: DayKind;
  chance: Chance;
  habits: Habits;
  write: ReturnType<typeof createSessions>;
  project: Project;
  incidents: readonly Incident[];
  startMs: number;
};

function liveDay(living: Living): Day {
  const { number, kind, chance, habits, write, project, startMs } = living;
  const hours = upTimes(habits, kind, chance);
  if (hours === null) return { number, kind, up: null, happenings: [] };
  const up = { fromMs: startMs + hours.fromMs, toMs: startMs + hours.toMs };
  const day = { project, slowness: chance.around(1, 0.12) };
  const sessions = sessionsOf(living).flatMap((session) => write(session, day));
  const happenings = [...agentOf(living, up), ...mishapsOf(living, up), ...sessions]
    .filter(({ atMs }) => atMs >= up.fromMs && atMs < up.toMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  return { number, kind, up, happenings };
}

function sessionsOf({ number, kind, chance, habits, incidents, startMs }: Living) {
  const restlessness = chance.around(1, 0.35);
  const week = Math.floor(number / 7);
  const moodAt = (atMs: number): Mood =>
    incidents.find(({ fromMs, toMs }) => atMs >= startMs + fromMs && atMs < startMs + toMs)?.mood ?? {};
  const assistant = Array.from({ length: 24 }, (_, hour) => {
    const expected = restlessness * sessionsExpected(habits, { kind, hour, week });
    return Array.from(
      { length: chance.poisson(expected) },
      () => startMs + Math.floor((hour + chance.share()) * HOUR_MS),
    );
  }).flat();
  const scripts =
    kind === 'work' ? habits.scriptHours.map((hour) => startMs + hour * HOUR_MS + chance.whole(0, 60_000)) : [];
  return [
    ...assistant.map((atMs) => ({
      userId: 'assistant',
      startMs: atMs,
      actions: Math.min(600, Math.ceil(chance.around(habits.actionsASession, 0.7) * (chance.is(0.04) ? 4 : 1))),
      pauseMs: chance.around(7_000, 0.4),
      isTask: chance.is(0.5),
      mood: moodAt(atMs),
    })),
    ...scripts.map((atMs) => ({
      userId: 'script',
      startMs: atMs,
      actions: 12,
      pauseMs: 1_500,
      isTask: true,
      mood: moodAt(atMs),
    })),
    ...incidents.flatMap(({ extra = [] }) => extra.map((each) => ({ ...each, startMs: startMs + each.startMs }))),
  ];
}

/** Ready some seconds after the machine is up; lost for moments now and then; not ready while a permission is missing. */
function agentOf({ chance, incidents, startMs }: Living, up: { fromMs: number; toMs: number }): Happening[] {
  const readiness = (atMs: number, ready: boolean): Happening => ({
    atMs,
    kind: 'agent.readiness',
    metadata: { ready },
  });
  const hiccups = Array.from({ length: chance.poisson(0.2) }, () => {
    const atMs = Math.floor(chance.between(up.fromMs + HOUR_MS, up.toMs - HOUR_MS));
    return [readiness(atMs, false), readiness(atMs + chance.whole(4_000, 40_000), true)];
  });
  const lost = incidents.filter(({ losesPermission }) => losesPermission === true);
  return [
    readiness(up.fromMs + chance.whole(2_000, 9_000), true),
    ...hiccups.flat(),
    ...lost.flatMap(({ fromMs, toMs }) => [readiness(startMs + fromMs, false), readiness(startMs + toMs, true)]),
  ];
}

/** A script with an old key, once in about eight weeks. */
function mishapsOf({ chance }: Living, up: { fromMs: number; toMs: number }): Happening[] {
  if (!chance.is(1 / 56)) return [];
  const atMs = Math.floor(chance.between(up.fromMs, up.toMs));
  return [{ atMs, kind: 'request.refused', metadata: { code: 'user_key_invalid', count: chance.whole(1, 2) } }];
}
