import type { Episode } from './judge.ts';
import { hasResult, type Outcome } from './lives.ts';
import type { LifeReport, Told } from './simulate.ts';

const HOUR_MS = 3_600_000;
const MOST_A_MONTH = 1;
const NAMES_SHOWN = 4;

/** The rule by which false alarms are counted; printed above the figures. */
export const COUNTED = `A false alarm is whatever a person sees while nothing is wrong: a warning of the dashboard, a notification, an insight
above info, a risk of at least moderate; all with one cause (src/contract/metrics.ts), which the page and the notifications tell as one,
until a day without it. In brackets is the number where each metric and the risk count by themselves. Not counted is what is true: a wrong
key that was refused within the day before, a requester that the person's denials paused. A requester that begins to use another
program, about twice a year, is an info and no alarm, unless the program does something risky.`;

export function falseAMonth({ episodes, months }: Pick<LifeReport, 'episodes' | 'months'>): number {
  return episodes.length / months;
}

/** At most one false alarm a month, and every incident told in time. */
export function isGood(life: LifeReport): boolean {
  return falseAMonth(life) <= MOST_A_MONTH && life.incidents.every(({ isInTime }) => isInTime);
}

/** Lists everything that one person was shown, one line each. */
export function reportOf(life: LifeReport): string {
  const { seed, months, episodes, bySubject, trueSightings, incidents, dayOfUseMs } = life;
  return [
    `seed ${seed} (${life.life}): ${falseAMonth(life).toFixed(2)} false alarms a month (${(bySubject / months).toFixed(2)}) in ${months.toFixed(1)} months`,
    ...episodes.map((each) => `  ${episodeLine(each)}`),
    `  rightly shown, not counted: ${trueSightings}`,
    `  incidents, and the time of use until one was told (a day of use: ${hours(dayOfUseMs)})`,
    ...incidents.map((each) => `  ${incidentLine(each)}`),
  ].join('\n');
}

/** All lives in one table, and whether the goals are met. A life without a result has missed them. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const lives = outcomes.filter(hasResult);
  const names = lives[0]?.incidents.map(({ name }) => name) ?? [];
  const ofName = (name: string) => lives.flatMap(({ incidents }) => incidents.filter((each) => each.name === name));
  return [
    'seed  false alarms a month (each metric by itself)  told in time',
    ...outcomes.map(lineOf),
    '',
    'false alarms by cause (lives, episodes)',
    ...byCause(lives),
    '',
    'incident                in time   time of use until told: median, longest',
    ...names.map((name) => incidentSummary(name, ofName(name))),
    '',
    verdictOn(outcomes, lives),
  ].join('\n');
}

function lineOf(outcome: Outcome): string {
  const seed = String(outcome.seed).padStart(4);
  if (!hasResult(outcome)) return `${seed}  no result: ${outcome.problem}`;
  const inTime = outcome.incidents.filter(({ isInTime }) => isInTime).length;
  const apart = `(${(outcome.bySubject / outcome.months).toFixed(2)})`;
  return `${seed}  ${falseAMonth(outcome).toFixed(2).padStart(20)} ${apart.padEnd(24)}  ${inTime} of ${outcome.incidents.length}`;
}

function verdictOn(outcomes: readonly Outcome[], lives: readonly LifeReport[]): string {
  if (lives.length === outcomes.length && lives.every(isGood)) return 'Every goal was met.';
  const calm = lives.filter((life) => falseAMonth(life) <= MOST_A_MONTH).length;
  const incidents = lives.flatMap((life) => life.incidents);
  const inTime = incidents.filter(({ isInTime }) => isInTime).length;
  const missing = outcomes.length - lives.length;
  return [
    `Missed. At most ${MOST_A_MONTH} a month: ${calm} of ${outcomes.length} lives; incidents told in time: ${inTime} of ${incidents.length}`,
    missing === 0 ? '.' : `; lives without a result: ${missing}.`,
  ].join('');
}

function byCause(lives: readonly LifeReport[]): string[] {
  const counts = new Map<string, { episodes: number; lives: number }>();
  for (const { episodes } of lives) {
    for (const cause of new Set(episodes.map((each) => each.cause))) {
      const before = counts.get(cause) ?? { episodes: 0, lives: 0 };
      const more = episodes.filter((each) => each.cause === cause).length;
      counts.set(cause, { episodes: before.episodes + more, lives: before.lives + 1 });
    }
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other.episodes - one.episodes)
    .map(([cause, count]) => `  ${cause.padEnd(30)} ${count.lives}, ${count.episodes}`);
}

function incidentSummary(name: string, told: readonly Told[]): string {
  const times = told.map(({ useMs }) => useMs ?? Number.POSITIVE_INFINITY).toSorted((one, other) => one - other);
  const inTime = told.filter(({ isInTime }) => isInTime).length;
  const median = times[Math.floor((times.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
  return `${name.padEnd(22)}  ${`${inTime} of ${told.length}`.padEnd(8)}  ${hours(median)}, ${hours(times.at(-1) ?? median)}`;
}

function episodeLine({ cause, fromMs, untilMs, names }: Episode): string {
  const more = names.length > NAMES_SHOWN ? `; and ${names.length - NAMES_SHOWN} more` : '';
  const when = `${new Date(fromMs).toISOString().slice(0, 16)} for ${hours(untilMs - fromMs)}`;
  return `${when} ${cause}: ${names.slice(0, NAMES_SHOWN).join('; ')}${more}`;
}

function incidentLine({ name, details, useMs, by, isInTime }: Told): string {
  const what = `${name} (${details})`.padEnd(62);
  if (useMs === null) return `MISSED ${what} never told`;
  return `${isInTime ? 'in time' : 'LATE   '} ${what} after ${hours(useMs)} by ${by}`;
}

function hours(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / HOUR_MS).toFixed(1)} h` : 'never';
}
