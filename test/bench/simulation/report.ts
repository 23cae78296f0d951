import type { Episode } from './judge.ts';
import type { LifeReport, Told } from './simulate.ts';

const HOUR_MS = 3_600_000;
const MOST_A_MONTH = 1;
const NAMES_SHOWN = 4;

export function falseAMonth({ episodes, months }: Pick<LifeReport, 'episodes' | 'months'>): number {
  return episodes.length / months;
}

/** At most one false alarm a month, and every incident told in time. */
export function isGood(life: LifeReport): boolean {
  return falseAMonth(life) <= MOST_A_MONTH && life.incidents.every(({ isInTime }) => isInTime);
}

/** Lists everything that one person was shown, one line each. */
export function reportOf(life: LifeReport): string {
  const { seed, months, episodes, trueSightings, incidents, dayOfUseMs } = life;
  return [
    `seed ${seed} (${life.life}): ${falseAMonth(life).toFixed(2)} false alarms a month in ${months.toFixed(1)} months`,
    ...episodes.map((each) => `  ${episodeLine(each)}`),
    `  rightly shown, not counted: ${trueSightings}`,
    `  incidents, and the time of use until one was told (a day of use: ${hours(dayOfUseMs)})`,
    ...incidents.map((each) => `  ${incidentLine(each)}`),
  ].join('\n');
}

/** All lives in one table, and whether the goals are met. */
export function summaryOf(lives: readonly LifeReport[]): string {
  const names = lives[0]?.incidents.map(({ name }) => name) ?? [];
  const ofName = (name: string) => lives.flatMap(({ incidents }) => incidents.filter((each) => each.name === name));
  return [
    'seed  false alarms a month  told in time',
    ...lives.map((life) => {
      const inTime = life.incidents.filter(({ isInTime }) => isInTime).length;
      return `${String(life.seed).padStart(4)}  ${falseAMonth(life).toFixed(2).padStart(20)}  ${inTime} of ${life.incidents.length}`;
    }),
    '',
    'false alarms by subject (lives, episodes)',
    ...bySubject(lives),
    '',
    'incident                in time   time of use until told: median, longest',
    ...names.map((name) => incidentSummary(name, ofName(name))),
    '',
    lives.every(isGood)
      ? 'Every goal was met.'
      : `Missed. At most ${MOST_A_MONTH} a month: ${lives.filter((life) => falseAMonth(life) <= MOST_A_MONTH).length} of ${lives.length} lives; incidents told in time: ${lives.flatMap(({ incidents }) => incidents).filter(({ isInTime }) => isInTime).length} of ${lives.flatMap(({ incidents }) => incidents).length}.`,
  ].join('\n');
}

function bySubject(lives: readonly LifeReport[]): string[] {
  const counts = new Map<string, { episodes: number; lives: number }>();
  for (const { episodes } of lives) {
    for (const subject of new Set(episodes.map((each) => each.subject))) {
      const before = counts.get(subject) ?? { episodes: 0, lives: 0 };
      const more = episodes.filter((each) => each.subject === subject).length;
      counts.set(subject, { episodes: before.episodes + more, lives: before.lives + 1 });
    }
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other.episodes - one.episodes)
    .map(([subject, count]) => `  ${subject.padEnd(30)} ${count.lives}, ${count.episodes}`);
}

function incidentSummary(name: string, told: readonly Told[]): string {
  const times = told.map(({ useMs }) => useMs ?? Number.POSITIVE_INFINITY).toSorted((one, other) => one - other);
  const inTime = told.filter(({ isInTime }) => isInTime).length;
  const median = times[Math.floor((times.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
  return `${name.padEnd(22)}  ${`${inTime} of ${told.length}`.padEnd(8)}  ${hours(median)}, ${hours(times.at(-1) ?? median)}`;
}

function episodeLine({ subject, fromMs, untilMs, names }: Episode): string {
  const more = names.length > NAMES_SHOWN ? `; and ${names.length - NAMES_SHOWN} more` : '';
  const when = `${new Date(fromMs).toISOString().slice(0, 16)} for ${hours(untilMs - fromMs)}`;
  return `${when} ${subject}: ${names.slice(0, NAMES_SHOWN).join('; ')}${more}`;
}

function incidentLine({ name, details, useMs, by, isInTime }: Told): string {
  const what = `${name} (${details})`.padEnd(62);
  if (useMs === null) return `MISSED ${what} never told`;
  return `${isInTime ? 'in time' : 'LATE   '} ${what} after ${hours(useMs)} by ${by}`;
}

function hours(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / HOUR_MS).toFixed(1)} h` : 'never';
}
