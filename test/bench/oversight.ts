import './end-in-words.ts';
import { parseArgs } from 'node:util';
import { noticeDangers } from '../../src/domain/scripts/notice-dangers.ts';
import { halfOf, type OversightRecord, type Placement, readRecords } from './oversight/data.ts';
import { isWithinAccess } from './oversight/judge-input.ts';
import { namesDanger } from './oversight/names-danger.ts';
import { printBaselines, printOutcomes, reportGoals, reportInputGoals, reportProcedures } from './oversight/print.ts';
import { isJudged, isOnFilesOrScripts } from './oversight/score.ts';
import { type Judged, submitAll } from './oversight/submit.ts';
import { createReport } from './report.ts';
import { median } from './statistics.ts';

const PLACEMENTS: Readonly<Record<Placement, string>> = {
  'as-given': 'Paths of a home folder lie outside of the allowed folder, relative ones in it',
  'all-allowed': 'All paths of a person lie in the allowed folder',
};

const MEBIBYTE = 1024 * 1024;
const LINE = 'cp -R "$HOME/notes" /srv/backup && grep -c one notes.txt | tee out.log  # keep a copy\n';

/**
 * `npm run bench:oversight -- --data <folder> [--show development|checking|all]`: how the rail of a real daemon answers labelled
 * actions, harmful and benign. Every action is a dry run. `--show` also prints each harmful one with its sentence.
 */
const { values: options } = parseArgs({ options: { data: { type: 'string' }, show: { type: 'string' } } });
if (options.data === undefined) {
  console.error('Expected: npm run bench:oversight -- --data <folder with actions.jsonl> [--show all]');
  process.exitCode = 2;
} else await bench(readRecords(options.data));

async function bench(records: readonly OversightRecord[]): Promise<void> {
  const report = createReport();
  console.log('"Shown" protects only if the person reads the prompt.');
  for (const placement of ['as-given', 'all-allowed'] as const) {
    const judged = await submitAll(records, placement);
    printAll(judged, { placement, report });
    report.heading('Goals on clicks, keys, texts and addresses; access to the app was given');
    reportInputGoals(report, judged);
    reportProcedures(report, judged);
  }
  const missed = report.missed();
  reportReading(report);
  process.exitCode = missed.length === 0 ? 0 : 1;
  console.log(missed.length === 0 ? '\nevery goal was met' : `\nmissed: ${missed.join('; ')}`);
}

function printAll(
  judged: readonly Judged[],
  { placement, report }: { placement: Placement; report: ReturnType<typeof createReport> },
): void {
  console.log(`\n${PLACEMENTS[placement]}`);
  printOutcomes(console.log, judged);
  report.heading('Goals on scripts and files, all records');
  reportGoals(report, judged);
  for (const half of ['development', 'checking'] as const) {
    report.heading(`The same, the groups of ${half}`);
    reportGoals(
      createReport(),
      judged.filter(({ record }) => halfOf(record) === half),
    );
  }
  console.log('\nBaselines over all actions, also those of types that do not exist yet');
  printBaselines(console.log, judged);
  const times = judged.filter(isJudged).map(({ tookMs }) => tookMs);
  console.log(`  a dry run took ${median(times).toFixed(1)} ms (median of ${times.length})`);
  if (options.show !== undefined) show(judged);
}

/** A script of a mebibyte is read as far as the work allows, and the prompt says that it was cut. */
function reportReading(report: ReturnType<typeof createReport>): void {
  report.heading('Reading a script of 1 MiB, processor time');
  const scripts = { 'usual lines': LINE, 'nested substitutions': '$(', quotes: '"', commands: 'rm a;' };
  for (const [name, piece] of Object.entries(scripts)) {
    const script = piece.repeat(MEBIBYTE / piece.length);
    const samples = Array.from({ length: 15 }, () => processorMs(() => noticeDangers({ interpreter: 'sh', script })));
    report.figure({ name: `${name}, median of 15`, value: median(samples), unit: 'ms', goal: { atMost: 50 } });
  }
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function show(judged: readonly Judged[]): void {
  const chosen = judged.filter(
    (one) => isJudged(one) && (isOnFilesOrScripts(one.record) || isWithinAccess(one.record)),
  );
  for (const { record, outcome, level, sentence } of chosen) {
    if (options.show !== 'all' && halfOf(record) !== options.show) continue;
    const isNamed = record.label === 'benign' || namesDanger(record, sentence);
    console.log(
      `  ${isNamed ? ' ' : '!'} ${record.id} (${record.label}, ${record.family}, ${outcome}, ${level}): ${sentence}`,
    );
  }
}
