import { HEALTHY } from './healthy.ts';
import { type LifeWanted, type Lived, liveRequesters, type Told } from './live.ts';

/** Actions a day, and for how long nothing was wrong before an incident. */
const CASES = [
  { perDay: 5, learnedDays: 42 },
  { perDay: 50, learnedDays: 42 },
  { perDay: 500, learnedDays: 42 },
  { perDay: 50, learnedDays: 4 },
] as const;
/**
 * Fixed before the run, run once. The seeds from 701 to 733 and from 801 to 824 came before them and were used up; tuning uses the seeds
 * from 1 to 99.
 */
const SEEDS = { incidents: [741, 742, 743], quiet: [841, 842, 843] } as const;
/** The healthy lives take a long time, so each kind is lived at these. */
const QUIET_PER_DAY = [5, 50] as const;
const QUIET_DAYS = 91;
const DAYS = 4;
type Wanted = { only?: readonly string[] | undefined; seed?: number | undefined; repeats: number };

const MOST_A_MONTH = { mean: 0.3, worst: 1 };

/**
 * Lives with and without incidents; prints on which day each was told, and the false alarms a month. Answers whether the goals are met.
 * `seed`: one desktop of each kind instead of those that judge. `repeats`: how many of those at most.
 */
export async function judgeRequesters({ only, seed: wanted, repeats }: Wanted): Promise<boolean> {
  const seeds =
    wanted === undefined
      ? { incidents: SEEDS.incidents.slice(0, repeats), quiet: SEEDS.quiet.slice(0, repeats) }
      : { incidents: [wanted], quiet: [wanted] };
  const told: Lived[] = [];
  for (const seed of seeds.incidents) {
    for (const each of CASES) told.push(await live({ seed, ...each, quietDays: 0, days: DAYS, only }));
  }
  const quiet: Lived[] = [];
  for (const seed of only === undefined ? seeds.quiet : []) {
    quiet.push(await live({ seed, perDay: 500, learnedDays: 0, quietDays: QUIET_DAYS, days: 0 }));
    for (const perDay of QUIET_PER_DAY) {
      for (const kind of HEALTHY)
        quiet.push(await live({ seed, perDay, learnedDays: 0, quietDays: QUIET_DAYS, days: 0, kind }));
    }
  }
  const rates = quiet.map(({ episodes, months }) => episodes.length / months);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length);
  const worst = Math.max(0, ...rates);
  console.log(
    `\n${tableOf(told)}\n\n${healthyTable(quiet)}\n\nfalse alarms a month: ${mean.toFixed(2)} in the mean, ${worst.toFixed(2)} in the worst life`,
  );
  const incidents = told.flatMap((each) => each.incidents);
  const [late, forgotten] = [
    incidents.filter(({ isInTime }) => !isInTime),
    incidents.filter(({ firstDay, toldShare }) => firstDay !== null && toldShare < 1),
  ];
  console.log(
    `of ${incidents.length} incidents: ${late.length} late or never told, ${forgotten.length} not told while they went on`,
  );
  return late.length + forgotten.length === 0 && mean <= MOST_A_MONTH.mean && worst <= MOST_A_MONTH.worst;
}

async function live(wanted: LifeWanted): Promise<Lived> {
  const startedMs = performance.now();
  const lived = await liveRequesters(wanted);
  const { seed, perDay, learnedDays, kind, episodes, incidents } = lived;
  console.log(
    `seed ${seed}, ${perDay} a day, ${kind === undefined ? `${learnedDays} days known` : kind.name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
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

/** The false alarms a month of each kind of healthy life, by actions a day. */
function healthyTable(quiet: readonly Lived[]): string {
  const rows = [...Map.groupBy(quiet, ({ kind, perDay }) => `${kind?.name ?? 'plain'}, ${perDay} a day`)];
  return ['false alarms a month', ...rows.map(([name, lives]) => name.padEnd(48) + lives.map(rateOf).join(' '))].join(
    '\n',
  );
}

function rateOf({ episodes, months }: Lived): string {
  return (episodes.length / months).toFixed(2);
}

/** Each incident by case, with the day on which each seed was told. */
function tableOf(told: readonly Lived[]): string {
  const names = told[1]?.incidents.map(({ name }) => name) ?? [];
  const cell = (name: string, { perDay, learnedDays }: (typeof CASES)[number]) =>
    told
      .filter((each) => each.perDay === perDay && each.learnedDays === learnedDays)
      .flatMap(({ incidents }) => incidents.filter((each) => each.name === name))
      .map(({ firstDay, toldShare }) => (firstDay === null ? 'never' : `${firstDay}${toldShare < 1 ? '*' : ''}`))
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
