import { progress } from '../progress.ts';
import { dayOfUseMs, type Habits } from './habits.ts';
import type { Incident } from './incident.ts';
import { drawIncidents } from './incidents.ts';
import { type Episode, episodesOf, firstTold, isTrue } from './judge.ts';
import { createLife, type Day, START_MS } from './person.ts';
import type { Sighting } from './seen.ts';
import type { Happening } from './session.ts';
import { createWorld, type World } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MONTH_MS = (365.25 / 12) * DAY_MS;
/** An incident that nobody was told of is watched for so many times as long as it may take. */
const PATIENCE = 2;

export type LifeOptions = { seed: number; weeks: number; everyMinutes: number; only?: readonly string[] };

/** The result of one incident. `useMs`: up-time of the machine from its onset until the person was told; `null` if that never happened. */
export type Told = {
  name: string;
  details: string;
  useMs: number | null;
  limitMs: number;
  by: string;
  isInTime: boolean;
};

export type LifeReport = {
  seed: number;
  life: string;
  months: number;
  episodes: Episode[];
  /** How many there are where each metric and the risk count by themselves. */
  bySubject: number;
  /** Sightings of something that was really so, though nothing was wrong. */
  trueSightings: number;
  incidents: Told[];
  dayOfUseMs: number;
};

type Life = ReturnType<typeof createLife>;

/** Lives the quiet weeks of one person, and each of ten incidents, or those named in `only`, in a copy of that life of its own. */
export async function simulate({ seed, weeks, everyMinutes, only }: LifeOptions): Promise<LifeReport> {
  const life = createLife({ seed, weeks });
  const incidents = drawIncidents(seed, { habits: life.habits, weeks }).filter(
    ({ name }) => only?.includes(name) ?? true,
  );
  const world = createWorld({ everyMinutes });
  const told = new Map<string, Told>();
  const days: Day[] = [];
  const endDay = Math.max(7 * weeks, ...incidents.map(({ firstDay }) => firstDay + 1));
  try {
    for (let number = 0; number < endDay; number += 1) {
      progress.at(`seed ${seed}: day ${number} of ${endDay}`);
      for (const incident of incidents.filter(({ firstDay }) => firstDay === number)) {
        told.set(incident.name, await liveThrough(incident, { life, world, everyMinutes }));
      }
      const day = life.day(number);
      days.push({ ...day, happenings: day.happenings.filter(isRefusedKey) });
      world.live(day, { sleeps: !life.habits.alwaysOn, ...QUIETLY });
    }
    return {
      seed,
      life: lifeInWords(life.habits),
      ...quietWeeks([...world.seen.sightings().values()], { days, weeks }),
      incidents: incidents.flatMap(({ name }) => told.get(name) ?? []),
      dayOfUseMs: dayOfUseMs(life.habits),
    };
  } finally {
    world.end();
  }
}

function quietWeeks(sightings: readonly Sighting[], { days, weeks }: { days: readonly Day[]; weeks: number }) {
  const endMs = START_MS + 7 * weeks * DAY_MS;
  const keyRefusedAtMs = days.flatMap(({ happenings }) => happenings.map(({ atMs }) => atMs));
  const quiet = sightings.filter(({ atMs }) => atMs < endMs);
  const wrong = quiet.filter((sighting) => !isTrue(sighting, { keyRefusedAtMs }));
  return {
    months: (7 * weeks * DAY_MS) / MONTH_MS,
    episodes: episodesOf(wrong),
    bySubject: episodesOf(wrong, 'subject').length,
    trueSightings: quiet.length - wrong.length,
  };
}

const QUIETLY = { isPermitted: () => true, isCalm: () => false, passed: () => false };

type Around = { life: Life; world: World; everyMinutes: number };

/** Copies the world as it is and lives the incident in it, until it is told or nobody would wait any longer. */
async function liveThrough(incident: Incident, { life, world: before, everyMinutes }: Around): Promise<Told> {
  const world = createWorld({ everyMinutes, before });
  const limitMs = incident.withinDays * dayOfUseMs(life.habits);
  const watched = { usedMs: 0, onsetMs: undefined as number | undefined };
  const find = () =>
    watched.onsetMs === undefined
      ? undefined
      : firstTold(world.seen.sightings().values(), { shows: incident.shows, onsetMs: watched.onsetMs });
  const isOver = () => find() !== undefined || watched.usedMs > PATIENCE * limitMs;
  try {
    for (let number = incident.firstDay; !isOver() && number < incident.firstDay + 60; number += 1) {
      progress.at(`${incident.name}: day ${number}`);
      const day = life.day(number, incident);
      watched.onsetMs ??= onsetIn(day, incident);
      world.live(day, {
        sleeps: !life.habits.alwaysOn,
        isPermitted: isPermittedAt(incident, number),
        // Before its onset, and where it lasts for days, an hour more or less does not matter.
        isCalm: (atMs) => incident.days.size > 2 || atMs < (watched.onsetMs ?? Number.POSITIVE_INFINITY),
        passed: (atMs) => {
          if (atMs > dueFromMs(incident, watched.onsetMs)) watched.usedMs += MINUTE_MS;
          return isOver();
        },
      });
    }
    const by = find();
    const { name, details } = incident;
    const useMs = by === undefined ? null : watched.usedMs;
    return { name, details, useMs, limitMs, by: by?.name ?? '', isInTime: useMs !== null && useMs <= limitMs };
  } finally {
    world.end();
  }
}

/** From when on the time until it is told counts. */
function dueFromMs({ fullFromDay }: Incident, onsetMs = Number.POSITIVE_INFINITY): number {
  return fullFromDay === undefined ? onsetMs : START_MS + fullFromDay * DAY_MS;
}

function onsetIn({ number, happenings }: Day, { days, beginsWith }: Incident): number | undefined {
  const plan = days.get(number);
  if (plan === undefined) return undefined;
  const fromMs = START_MS + number * DAY_MS + plan.fromMs;
  return happenings.find(({ atMs, kind }) => kind === beginsWith && atMs >= fromMs)?.atMs;
}

function isPermittedAt({ days }: Incident, number: number): (atMs: number) => boolean {
  const plan = days.get(number);
  const startMs = START_MS + number * DAY_MS;
  return (atMs) => plan?.losesPermission !== true || atMs < startMs + plan.fromMs || atMs >= startMs + plan.toMs;
}

function isRefusedKey({ metadata }: Happening): boolean {
  return metadata?.code === 'user_key_invalid';
}

function lifeInWords({ alwaysOn, pace, requesters }: Habits): string {
  return `${alwaysOn ? 'always on' : '8-hour days'}, ${pace}, ${requesters.length + 1} requesters`;
}
