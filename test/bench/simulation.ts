import { parseArgs } from 'node:util';
import { incidentsFrom } from './simulation/incidents.ts';
import { type Catch, type Episode, judge } from './simulation/judge.ts';
import { simulate } from './simulation/simulate.ts';

/** The four incidents come in the two weeks after those. */
const INCIDENT_WEEKS = 2;

const HELP = `npm run bench:simulation -- [options]: how often Guardian cries wolf in a simulated person's life, and how soon it tells of four incidents

  --seed <number>     whose life                                                   (1)
  --every <minutes>   how often to look; the daemon does every minute              (5)
                      with 5 half a year takes some minutes, with 1 several times as long
  --weeks <number>    in which nothing is wrong; two with the incidents follow     (26)
  --help              this text`;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '5' },
    weeks: { type: 'string', default: '26' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}
for (const name of ['seed', 'every', 'weeks'] as const) {
  if (!/^\d{1,9}$/.test(options[name]))
    throw new Error(`--${name} should be a whole number, and is "${options[name]}".`);
}
process.env.TZ = 'UTC';
const weeks = Number(options.weeks);
const startedMs = performance.now();
const incidents = incidentsFrom(7 * weeks);
const simulated = await simulate({
  seed: Number(options.seed),
  weeks: weeks + INCIDENT_WEEKS,
  incidents,
  everyMinutes: Number(options.every),
});
const { months, falseEpisodes, falseWarnings, trueWarnings, falselyTold, catches } = judge(simulated, incidents);
const aMonth = falseEpisodes.length / months;
const isCaught = catches.every(({ by }) => by !== undefined);
const { user, system } = process.cpuUsage();

console.log(
  `seed ${options.seed}: ${weeks} weeks in which nothing is wrong, then ${INCIDENT_WEEKS} with an incident now and then`,
);
console.log(
  `${simulated.events} events; the machine was up for ${simulated.minutes} minutes, assessed every ${options.every}`,
);
console.log(
  'A warning is a trend or an insight above `info`. Warnings about one metric, none more than a day after the one before, are one.\n',
);
console.log(`false warnings a month over all 23 metrics: ${aMonth.toFixed(2)} (wanted: below 1)`);
console.log(`  single ones, by metric and window or by subject, a month: ${(falseWarnings / months).toFixed(2)}`);
console.log(`  warnings of a key that was really refused, not counted: ${trueWarnings}`);
console.log(`  notifications a month: ${(falselyTold / months).toFixed(2)}`);
for (const episode of falseEpisodes) console.log(`  ${episodeLine(episode)}`);
console.log('\nincidents, and the first warning within two of its windows:');
for (const each of catches) console.log(`  ${catchLine(each)}`);
console.log(
  `\n${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${((user + system) / 1e6).toFixed(0)} s of them on the processor`,
);
console.log(aMonth < 1 && isCaught ? 'every goal was met' : 'missed');
process.exitCode = aMonth < 1 && isCaught ? 0 : 1;

function episodeLine({ metricType, fromMs, warnings }: Episode): string {
  return `${new Date(fromMs).toISOString().slice(0, 16)} ${metricType}: ${warnings.map(({ name }) => name).join('; ')}`;
}

function catchLine({ incident, onsetMs, by }: Catch): string {
  const name = incident.name.padEnd(22);
  if (by === undefined) return `${name} not caught`;
  const minutes = Math.round((by.atMs - onsetMs) / 60_000);
  return `${name} after ${String(minutes).padStart(4)} min by ${by.name}`;
}
