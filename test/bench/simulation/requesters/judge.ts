import { type LifeWanted, type Lived, liveRequesters, type Told } from './live.ts';

/** Actions a day, and for how long nothing was wrong before an incident. */
const CASES = [
  { perDay: 5, learnedDays: 42 },
  { perDay: 50, learnedDays: 42 },
  { perDay: 500, learnedDays: 42 },
  { perDay: 50, learnedDays: 4 },
] as const;
/** Fixed before the run. Tuning uses the seeds from 1 to 99. */
const SEEDS = { incidents: [701, 702, 703], quiet: [801, 802, 803, 804] } as const;
const QUIET_DAYS = 91;
const DAYS = 4;
const MOST_A_MONTH = { mean: 0.3, worst: 1 };

/** Lives with and without incidents; prints on which day each was told, and the false alarms a month. Answers whether the goals are met. */
export async function judgeRequesters(only: readonly string[] | undefined): Promise<boolean> {
  const told: Lived[] = [];
  for (const seed of SEEDS.incidents) {
    for (const each of CASES) told.push(await live({ seed, ...each, quietDays: 0, days: DAYS, ...(only && { only }) }));
  }
  const quiet: Lived[] = [];
  for (const seed of SEEDS.quiet) {
    for (const { perDay } of CASES.slice(0, 3)) {
      quiet.push(await live({ seed, perDay, learnedDays: 0, quietDays: QUIET_DAYS, days: 0 }));
    }
  }
  const rates = quiet.map(({ episodes, months }) => episodes.length / months);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const worst = Math.max(...rates);
  console.log(
    `\n${tableOf(told)}\n\nfalse alarms a month: ${mean.toFixed(2)} in the mean, ${worst.toFixed(2)} in the worst life`,
  );
  const isTold = told.every(({ incidents }) =>
    incidents.every(({ isInTime, toldShare }) => isInTime && toldShare === 1),
  );
  return isTold && mean <= MOST_A_MONTH.mean && worst <= MOST_A_MONTH.worst;
}

async function live(wanted: LifeWanted): Promise<Lived> {
  const startedMs = performance.now();
  const lived = await liveRequesters(wanted);
  const { seed, perDay, learnedDays, episodes, incidents } = lived;
  console.log(
    `seed ${seed}, ${perDay} a day, ${learnedDays} days known: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
  );
  for (const { fromMs, cause, names } of episodes) {
    console.log(`  false: ${new Date(fromMs).toISOString().slice(0, 10)} ${cause}: ${names.slice(0, 3).join('; ')}`);
  }
  for (const each of incidents) console.log(`  ${lineOf(each)}`);
  return lived;
}

function lineOf({ name, firstDay, toldShare, isInTime, by, risk }: Told): string {
  const first =
    firstDay === null ? 'never told' : `day ${firstDay}, on ${Math.round(100 * toldShare)} % of the days since`;
  return `${isInTime ? 'in time' : 'LATE   '} ${name}: ${first}; risk ${risk.join(', ')}; ${by.slice(0, 160)}`;
}

/** Each incident by case, with the day on which each seed was told. */
function tableOf(told: readonly Lived[]): string {
  const names = told[1]?.incidents.map(({ name }) => name) ?? [];
  const cell = (name: string, { perDay, learnedDays }: (typeof CASES)[number]) =>
    told
      .filter((each) => each.perDay === perDay && each.learnedDays === learnedDays)
      .flatMap(({ incidents }) => incidents.filter((each) => each.name === name))
      .map(({ firstDay, toldShare }) => `${firstDay ?? 'never'}${toldShare < 1 ? '*' : ''}`)
      .join(' ');
  const heads = CASES.map(
    ({ perDay, learnedDays }) => `${perDay} a day${learnedDays < 42 ? `, ${learnedDays} days known` : ''}`,
  );
  return [
    ['told on day (* not on every day since)', ...heads],
    ...names.map((name) => [name, ...CASES.map((each) => cell(name, each))]),
  ]
    .map(([first = '', ...cells]) => first.padEnd(42) + cells.map((each) => each.padEnd(22)).join(''))
    .join('\n');
}
