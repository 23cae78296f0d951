import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isGood, reportOf, summaryOf } from './simulation/report.ts';
import { type LifeReport, simulate } from './simulation/simulate.ts';

/** Fixed before anything was tuned; tuning uses the seeds from 1 to 12. */
const JUDGING_SEEDS = Array.from({ length: 12 }, (_, index) => 301 + index);
const MOST_AT_ONCE = 2;

const HELP = `npm run bench:simulation -- [options]: what Guardian shows twelve simulated persons when nothing is wrong, and how soon it tells of ten incidents

  --seed <number>     one life with all it was shown, instead of the twelve with the seeds 301 to 312
  --every <minutes>   how often to look; the daemon does every minute                            (5)
  --weeks <number>    in which nothing is wrong; each incident happens in a copy of that life   (13)
  --only <names>      only these incidents, with commas between them, or none
  --help              this text`;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    every: { type: 'string', default: '5' },
    weeks: { type: 'string', default: '13' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}
for (const [name, value] of Object.entries({ seed: options.seed ?? '1', every: options.every, weeks: options.weeks })) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} should be a whole number, and is "${value}".`);
}
process.env.TZ = 'UTC';
const startedMs = performance.now();
if (options.seed === undefined) await judgeAll();
else await judgeOne(Number(options.seed));

async function judgeOne(seed: number): Promise<void> {
  const only = options.only?.split(',');
  const life = await simulate({
    seed,
    weeks: Number(options.weeks),
    everyMinutes: Number(options.every),
    ...(only && { only }),
  });
  if (process.send !== undefined) {
    process.send(life);
    process.disconnect();
    return;
  }
  console.log(reportOf(life));
  const { user, system } = process.cpuUsage();
  console.log(`${elapsedSeconds()} s, ${((user + system) / 1e6).toFixed(0)} s of them on the processor`);
  process.exitCode = isGood(life) ? 0 : 1;
}

async function judgeAll(): Promise<void> {
  const lives: LifeReport[] = [];
  const seeds = [...JUDGING_SEEDS];
  const work = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      lives.push(await inChild(seed));
      console.error(`seed ${seed}: done after ${elapsedSeconds()} s (${lives.length} of ${JUDGING_SEEDS.length})`);
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  lives.sort((one, other) => one.seed - other.seed);
  for (const life of lives) console.log(`${reportOf(life)}\n`);
  console.log(summaryOf(lives));
  console.log(`${elapsedSeconds()} s`);
  process.exitCode = lives.every(isGood) ? 0 : 1;
}

function inChild(seed: number): Promise<LifeReport> {
  const child = fork(fileURLToPath(import.meta.url), [
    ...['--seed', String(seed)],
    ...['--every', options.every, '--weeks', options.weeks],
    ...(options.only === undefined ? [] : ['--only', options.only]),
  ]);
  return new Promise((resolve, reject) => {
    let life: LifeReport | undefined;
    child.once('message', (message) => {
      life = message as LifeReport;
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (life === undefined)
        reject(new Error(`The life with the seed ${seed} ended with code ${code} and no report.`));
      else resolve(life);
    });
  });
}

function elapsedSeconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(0);
}
