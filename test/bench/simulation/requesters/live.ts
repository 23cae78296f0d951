import { progress } from '../../progress.ts';
import { type Episode, episodesOf } from '../judge.ts';
import { START_MS } from '../person.ts';
import type { Sighting } from '../seen.ts';
import { createWorld, type World } from '../world.ts';
import { INCIDENTS, type Incident } from './incidents.ts';
import { createRequesterLife, DAY_MS, type Healthy } from './life.ts';

const MONTH_DAYS = 365.25 / 12;

/** `perDay`: actions a day. `learnedDays`: how long nothing is wrong before each incident. `quietDays`: of the life itself. */
export type LifeWanted = {
  seed: number;
  perDay: number;
  learnedDays: number;
  quietDays: number;
  days: number;
  only?: readonly string[];
  kind?: Healthy;
};

/** `firstDay`: on which it was told, from 1 on. `toldShare`: of the days since. `risk`: the highest score of each day. */
export type Told = {
  name: string;
  firstDay: number | null;
  toldShare: number;
  isInTime: boolean;
  by: string;
  risk: number[];
};

export type Lived = LifeWanted & { months: number; episodes: Episode[]; incidents: Told[] };

const EVERY_MINUTES = 60;
/** So few actions a day show failures later. */
const FEW = 5;

/** Lives one desktop, and each incident in a copy of it. */
export async function liveRequesters(wanted: LifeWanted): Promise<Lived> {
  const { learnedDays, quietDays, only } = wanted;
  const life = createRequesterLife(wanted);
  const world = createWorld({ everyMinutes: EVERY_MINUTES });
  const incidents: Told[] = [];
  try {
    const quiet = Math.max(quietDays, learnedDays);
    for (let number = 0; number < quiet; number += 1) {
      progress.at(`seed ${wanted.seed}: day ${number} of ${quiet}`);
      await liveDay(world, life.day(number));
    }
    const episodes = quietDays === 0 ? [] : episodesOf([...world.seen.sightings().values()]);
    const chosen = INCIDENTS.filter(
      ({ name, isOfFirstDays }) =>
        (learnedDays > 20 || isOfFirstDays) && (only?.some((each) => name.includes(each)) ?? true),
    );
    if (learnedDays > 0)
      for (const incident of chosen) incidents.push(await liveThrough(incident, { life, world, wanted }));
    return { ...wanted, months: quietDays / MONTH_DAYS, episodes, incidents };
  } finally {
    world.end();
  }
}

type Around = { life: ReturnType<typeof createRequesterLife>; world: World; wanted: LifeWanted };

async function liveThrough(
  incident: Incident,
  { life, world: before, wanted: { learnedDays, days, perDay } }: Around,
): Promise<Told> {
  const world = createWorld({ everyMinutes: EVERY_MINUTES, before });
  const risk: number[] = [];
  const withinDays = (perDay <= FEW ? incident.withinDaysOfFew : undefined) ?? incident.withinDays;
  try {
    for (let day = 1; day <= Math.max(days, withinDays); day += 1) {
      progress.at(`${incident.name}: day ${day}`);
      await liveDay(world, life.day(learnedDays + day - 1, incident.turn(day)));
      risk.push(world.seen.worstRisk());
    }
    const sightings = [...world.seen.sightings().values()];
    const about = (day: number) =>
      sightings.filter((each) => isAbout(each, incident, START_MS + (learnedDays + day - 1) * DAY_MS));
    const told = risk.map((_, index) => about(index + 1));
    const first = told.findIndex((each) => each.length > 0);
    const since = told.slice(first);
    return {
      name: incident.name,
      firstDay: first === -1 ? null : first + 1,
      toldShare: first === -1 ? 0 : since.filter((each) => each.length > 0).length / since.length,
      isInTime: first !== -1 && first < withinDays,
      by: told[first]?.map(({ name }) => name).join('; ') ?? '',
      risk,
    };
  } finally {
    world.end();
  }
}

/** Whether it was shown on that day, and is about one of the metrics in which the incident shows. */
function isAbout({ atMs, untilMs, metricTypes }: Sighting, { shows }: Incident, dayMs: number): boolean {
  return atMs < dayMs + DAY_MS && untilMs >= dayMs && metricTypes.some((type) => shows.includes(type));
}

async function liveDay(world: World, day: Parameters<World['live']>[0]): Promise<void> {
  world.live(day, { sleeps: true, isPermitted: () => true, isCalm: () => false, passed: () => false });
}
