import { METRIC_TYPES } from '../../src/contract/metrics.ts';
import './end-in-words.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAnswers, benchHousekeeping, benchRawScans, benchStartUp } from './guardian-answers.ts';
import { builtDatabase } from './guardian-database.ts';
import { benchRecording } from './guardian-recording.ts';
import { createReport } from './report.ts';

const HELP = `npm run bench:guardian -- [options]: what Guardian's answers cost over millions of actions

  --rows <count>   actions to build            (10000000)
  --days <count>   over so many days           (90)
  --dir <folder>   where they are kept         (${join(tmpdir(), 'handrail-bench-guardian')})
  --minute         also watch the event loop through a minute of housekeeping
  --help           this text

The data is built once, a million in about 40 seconds of a processor, and takes about 0.7 GB a million; later runs use it
again, each adding some thousand rows. Figures are of real calls over HTTP, one after the other, the client's own time included.`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '90' },
    dir: { type: 'string', default: join(tmpdir(), 'handrail-bench-guardian') },
    minute: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await run({ rows: wholeNumber('rows', values.rows), days: wholeNumber('days', values.days), path: values.dir });

async function run(wanted: { rows: number; days: number; path: string }): Promise<void> {
  const built = builtDatabase(wanted, console.log);
  console.log(`${wanted.rows} actions over ${wanted.days} days, ${METRIC_TYPES.length} metrics, in ${built.path}`);
  const report = createReport();
  await benchStartUp(built, report, 'ten minutes like any other');
  await benchAnswers(built, report);
  if (values.minute) await benchHousekeeping(built, report);
  const recorded = await benchRecording(built, report);
  await benchStartUp(built, report, `${recorded} actions in its last minutes`);
  benchRawScans(built, report);
  console.log(report.missed().length === 0 ? '\nevery goal was met' : `\nmissed: ${report.missed().join('; ')}`);
  process.exitCode = report.missed().length === 0 ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} should be a whole number from 1, and is "${text}".`);
  return Number(text);
}
