import './end-in-words.ts';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasResult, liveAll, liveInChild, type Outcome } from './simulation/lives.ts';
import { COUNTED, falseAMonth, isGood, reportOf, summaryOf } from './simulation/report.ts';
import { judgeRequesters } from './simulation/requesters/judge.ts';
import { simulate } from './simulation/simulate.ts';

/**
 * Fixed before the run, run once. The seeds from 301 to 312 and from 401 to 412 came before them and were used up; tuning uses the seeds
 * from 1 to 60 and from 1001 on.
 */
const JUDGING_SEEDS = Array.from({ length: 12 }, (_, index) => 501 + index);
const MOST_AT_ONCE = 2;
const MINUTE_MS = 60_000;

const HELP = `npm run bench:simulation -- [options]: desktops with 5, 50 and 500 actions a day: by which day fifteen incidents that go on are told, and the false alarms of thirteen kinds of healthy lives

  --seed <number>     one desktop or life, instead of those that judge
  --only <names>      only these incidents, with commas between them, or none; no healthy lives of desktops
  --repeats <number>  so many desktops of each kind                                              (3)
  --persons           instead, what Guardian shows the twelve persons with the seeds 501 to 512, and how soon it tells of ten incidents
  --every <minutes>   with --persons, how often to look; the daemon does every minute            (5)
  --weeks <number>    in which nothing is wrong; each incident happens in a copy of that life   (13)
  --limit <minutes>   after which a life is ended and reported without a result                 (60)
  --help              this text

${COUNTED}`;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    every: { type: 'string', default: '5' },
    weeks: { type: 'string', default: '13' },
    only: { type: 'string' },
    limit: { type: 'string', default: '60' },
    persons: { type: 'boolean', default: false },
    repeats: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}
const { every, weeks, limit, repeats } = options;
for (const [name, value] of Object.entries({ seed: options.seed ?? '1', every, weeks, limit, repeats })) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} should be a whole number, and is "${value}".`);
}
process.env.TZ = 'UTC';
const startedMs = performance.now();
if (!options.persons) process.exitCode = (await judgeRequesters(wantedRequesters())) ? 0 : 1;
else if (options.seed === undefined) await judgeAll();
else await judgeOne(Number(options.seed));

function wantedRequesters() {
  return {
    only: options.only?.split(','),
    seed: options.seed === undefined ? undefined : Number(options.seed),
    repeats: Number(repeats),
  };
}

async function judgeOne(seed: number): Promise<void> {
  const only = options.only?.split(',');
  const life = await simulate({
    seed,
    weeks: Number(weeks),
    everyMinutes: Number(every),
    only,
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
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const running = {
    script: fileURLToPath(import.meta.url),
    args: [
      '--persons',
      '--every',
      every,
      '--weeks',
      weeks,
      ...(options.only === undefined ? [] : ['--only', options.only]),
    ],
    limitMs: Number(limit) * MINUTE_MS,
    signal: interrupted.signal,
  };
  console.log(`${COUNTED}\n`);
  let over = 0;
  const outcomes = await liveAll(JUDGING_SEEDS, {
    atOnce: MOST_AT_ONCE,
    live: (seed) => liveInChild(seed, running),
    begun: (seed) => console.error(`seed ${seed}: begun after ${elapsedSeconds()} s`),
    done(outcome) {
      over += 1;
      console.error(
        `seed ${outcome.seed}: ${inShort(outcome)} after ${elapsedSeconds()} s (${over} of ${JUDGING_SEEDS.length})`,
      );
      if (hasResult(outcome)) console.log(`${reportOf(outcome)}\n`);
    },
  });
  console.log(summaryOf(outcomes));
  console.log(`${elapsedSeconds()} s`);
  process.exitCode = outcomes.every((each) => hasResult(each) && isGood(each)) ? 0 : 1;
}

function inShort(outcome: Outcome): string {
  if (!hasResult(outcome)) return `no result, because ${outcome.problem},`;
  const told = outcome.incidents.filter(({ isInTime }) => isInTime).length;
  return `${falseAMonth(outcome).toFixed(2)} false alarms a month, ${told} of ${outcome.incidents.length} told in time,`;
}

function elapsedSeconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(0);
}
