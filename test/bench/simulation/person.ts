import { type Chance, createChance } from './chance.ts';
import {
  type DayKind,
  dayKind,
  drawHabits,
  type Habits,
  type LivedGrant,
  STREAMS,
  sessionsExpected,
  upTimes,
} from './habits.ts';
import type { Incident, IncidentDay } from './incident.ts';
import { drawProject, type Project } from './kinds.ts';
import { createSessions, type Happening, type Mood, type Session } from './session.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A Monday. */
export const START_MS = Date.parse('2026-01-05T00:00:00Z');

/** One day of a life: the events for the journal, in order, and the time in which the machine was up. */
export type Day = {
  number: number;
  kind: DayKind;
  up: { fromMs: number; toMs: number } | null;
  happenings: Happening[];
};

/**
 * A person with assistants and scripts, from a Monday on: workdays, weekends, days off, projects that change, sessions that come in
 * clusters and are now and then many times as long, apps that break for a while, an agent that hiccups. Every day is drawn by
 * itself, so that an incident changes its own days and no others.
 */
export function createLife({ seed, weeks }: { seed: number; weeks: number }) {
  const habits = drawHabits(seed, weeks);
  const projects = drawProjects(seed);
  return {
    habits,
    /** The day of that number, from 0 on, as it is when nothing is wrong, or with an incident. */
    day(number: number, incident?: Incident): Day {
      const project = projects(number);
      const chance = createChance(seed, STREAMS.days, number);
      const unusual = incident?.days.get(number);
      return liveDay({ number, chance, habits, project, unusual, incident, startMs: START_MS + number * DAY_MS });
    },
  };
}

/** A project lasts eighteen days on average. */
function drawProjects(seed: number): (day: number) => Project {
  const chance = createChance(seed, STREAMS.projects);
  const projects = [drawProject(chance, 0)];
  return (day) => {
    for (let number = projects.length; number <= day; number += 1) {
      const before = projects[number - 1];
      projects.push(before === undefined || chance.is(1 / 18) ? drawProject(chance, number) : before);
    }
    return projects[day] ?? drawProject(chance, day);
  };
}

type Living = {
  number: number;
  chance: Chance;
  habits: Habits;
  project: Project;
  incident: Incident | undefined;
  unusual: IncidentDay | undefined;
  startMs: number;
};

function liveDay(living: Living): Day {
  const { number, chance, habits, project, unusual, incident, startMs } = living;
  const kind = dayKind(habits, number);
  const hours = upTimes(habits, unusual === undefined ? kind : 'work', chance);
  if (hours === null) return { number, kind, up: null, happenings: [] };
  const up = { fromMs: startMs + hours.fromMs, toMs: startMs + hours.toMs };
  const grants = [...habits.grants, ...(incident?.grants ?? [])];
  const write = createSessions(chance, habits, {
    number,
    project,
    slowness: chance.around(1, 0.12),
    grants: grants.filter(({ fromDay, toDay }) => number >= fromDay && number < toDay),
    programOf: (userId) => programOf(habits, userId, number),
  });
  const sessions = sessionsOf(living, kind)
    .filter((session) => session.startMs >= up.fromMs)
    .toSorted((one, other) => one.startMs - other.startMs)
    .flatMap(write);
  const extra = (unusual?.happenings ?? []).map((each) => ({ ...each, atMs: startMs + each.atMs }));
  const happenings = [...agentOf(living, up), ...mishapsOf(chance, up), ...sessions, ...extra]
    .filter(({ atMs }) => atMs >= up.fromMs && atMs < up.toMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  return { number, kind, up, happenings: [...grantChanges(grants, number, up.fromMs), ...happenings] };
}

function sessionsOf(living: Living, kind: DayKind): Session[] {
  const { number, chance, habits, unusual, startMs } = living;
  const restlessness = chance.around(1, 0.35);
  const week = Math.floor(number / 7);
  const moodAt = (atMs: number): Mood =>
    unusual !== undefined && atMs >= startMs + unusual.fromMs && atMs < startMs + unusual.toMs
      ? (unusual.mood ?? {})
      : {};
  const requesters = habits.requesters.filter(({ fromDay }) => fromDay <= number).map(({ userId }) => userId);
  const starts = Array.from({ length: 24 }, (_, hour) => {
    const expected = restlessness * sessionsExpected(habits, { kind, hour, week });
    return Array.from(
      { length: chance.poisson(expected) },
      () => startMs + Math.floor((hour + chance.share()) * HOUR_MS),
    );
  }).flat();
  const scripts =
    kind === 'work' ? habits.scriptHours.map((hour) => startMs + hour * HOUR_MS + chance.whole(0, MINUTE_MS)) : [];
  return [
    ...starts.map((atMs) => ({
      // The first requester asks most often.
      userId: requesters[Math.min(chance.whole(0, requesters.length - 1), chance.whole(0, 5))] ?? 'assistant',
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
    ...(unusual?.extra ?? []).map((each) => ({ ...each, startMs: startMs + each.startMs })),
  ];
}

/** The agent is lost for moments now and then, and not ready while a permission is missing. */
function agentOf({ chance, unusual, startMs }: Living, up: { fromMs: number; toMs: number }): Happening[] {
  const readiness = (atMs: number, ready: boolean): Happening => ({
    atMs,
    kind: 'agent.readiness',
    metadata: { ready },
  });
  const hiccups = Array.from({ length: chance.poisson(0.2) }, () => {
    const atMs = Math.floor(chance.between(up.fromMs + 0.3 * HOUR_MS, up.toMs - 0.3 * HOUR_MS));
    return [readiness(atMs, false), readiness(atMs + chance.whole(4_000, 40_000), true)];
  });
  const lost = unusual?.losesPermission === true ? [unusual] : [];
  return [
    ...hiccups.flat(),
    ...lost.flatMap(({ fromMs, toMs }) => [readiness(startMs + fromMs, false), readiness(startMs + toMs, true)]),
  ];
}

/** A script with an old key once in about eight weeks, and a web page that tries its luck once in two. */
function mishapsOf(chance: Chance, { fromMs, toMs }: { fromMs: number; toMs: number }): Happening[] {
  const refusals = [
    { code: 'user_key_invalid', isNow: chance.is(1 / 56), count: chance.whole(1, 2) },
    { code: 'cross_site_request', isNow: chance.is(1 / 14), count: chance.whole(1, 3) },
  ];
  return refusals
    .filter(({ isNow }) => isNow)
    .map(({ code, count }) => {
      return { atMs: Math.floor(chance.between(fromMs, toMs)), kind: 'request.refused', metadata: { code, count } };
    });
}

/** Now and then a requester comes from another program: a new version in another place, or another terminal. */
function programOf({ programChanges }: Habits, userId: string, number: number): string {
  const changes = programChanges.filter((each) => each.userId === userId && each.fromDay <= number).length;
  return `/opt/${userId}/${changes + 1}/bin`;
}

function grantChanges(grants: readonly LivedGrant[], number: number, atMs: number): Happening[] {
  return grants.flatMap(({ id, userId, actionType, fromDay, toDay }) => {
    const of = { atMs, userId, metadata: { grantId: id, scope: 'always', type: actionType } };
    if (fromDay === number) return [{ ...of, kind: 'grant.created' }];
    return toDay === number ? [{ ...of, kind: 'grant.revoked' }] : [];
  });
}
