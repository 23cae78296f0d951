import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { createRecording } from '../../src/store/guardian/recording.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import type { Built } from './guardian-database.ts';
import { history, type Past } from './guardian-history.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

const ACTIONS = 3_000;
const WARM_UP = 300;
/** The p99 is the median of those of some rounds, as those of the answers are. */
const ROUNDS = 5;

/** How many actions were recorded, and what counting added to each in milliseconds: to all, and to the undisturbed ones. */
type Recorded = { asked: number; all: number[]; samples: number[] };

/**
 * The cost that counting adds to the transactions of an action, measured in a process that does nothing else, as the daemon has no
 * garbage of this bench either. Returns how many actions were recorded, all of them at the present.
 */
export async function benchRecording(built: Built, report: Report): Promise<number> {
  let total = 0;
  for (const [pace, everyMs] of PACES) {
    report.heading(`What recording adds to an action, all of its transactions together, ${pace}`);
    const words = [import.meta.filename, JSON.stringify({ ...built, everyMs })];
    const { stdout } = await promisify(execFile)(process.execPath, words, OUTPUT);
    const { asked, all, samples } = JSON.parse(stdout) as Recorded;
    const note = `${samples.length} of ${ACTIONS} undisturbed`;
    report.figure({ name: 'p50', value: median(samples), unit: 'ms' });
    const size = Math.ceil(samples.length / ROUNDS);
    const rounds = Array.from({ length: ROUNDS }, (_, index) => samples.slice(index * size, (index + 1) * size));
    const p99 = median(rounds.map((round) => quantile(round, 0.99)));
    report.figure({ name: 'p99', value: p99, unit: 'ms', goal: { atMost: 0.2 }, note });
    const plain = `all ${all.length} actions, in one piece`;
    report.figure({ name: 'p99, plain', value: quantile(all, 0.99), unit: 'ms', note: plain });
    total += asked;
  }
  return total;
}

/** Counts are stored once a second, so a lone action pays for that alone. `everyMs`: by the clock of the journal. */
const PACES = [
  ['one action a second', 1_000],
  ['200 actions a second', 5],
] as const;

const OUTPUT = { encoding: 'utf8', maxBuffer: 16 * 1024 ** 2 } as const;

/**
 * Records actions in transactions of their own, and measures inside of them: noting the events and storing the minute. Actions
 * during which the process lost the processor are left out of the samples.
 */
function record({ path, presentMs, everyMs }: Built & { everyMs: number }): Recorded {
  const database = new Database(dataDirectoryAt(path).database);
  for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'wal_autocheckpoint = 8000'])
    database.pragma(pragma);
  const recording = createRecording(database);
  let countingMs = 0;
  const counted = (work: () => void) => {
    const startedAtMs = performance.now();
    work();
    countingMs += performance.now() - startedAtMs;
  };
  const journal = createJournal(database, (event) => counted(() => recording.note(event)));
  const inTransaction = database.transaction((atMs: number, events: Past['events']) => {
    for (const { atMs: _, ...event } of events) journal.append(atMs, fromOtherBuild(event));
    counted(recording.flush);
  });
  const all: number[] = [];
  const samples: number[] = [];
  let asked = 0;
  for (const past of history({ rows: WARM_UP + ACTIONS, days: 1, endMs: presentMs, deviceId: 'dev_bench' })) {
    countingMs = 0;
    const disturbances = process.resourceUsage().involuntaryContextSwitches;
    for (const events of transactionsOf(past)) inTransaction(presentMs + asked * everyMs, events);
    asked += 1;
    const isDisturbed = process.resourceUsage().involuntaryContextSwitches > disturbances;
    if (asked <= WARM_UP) continue;
    all.push(countingMs);
    if (!isDisturbed) samples.push(countingMs);
  }
  database.close();
  return { asked, all, samples };
}

/** The events of an action by transaction, as the daemon stores them: an action that need not wait is sent in the one that stores it. */
function transactionsOf({ events }: Past): Past['events'][] {
  const [requested, dispatched] = events;
  const isSentAtOnce = dispatched?.kind === 'action.dispatched' && dispatched.atMs === requested?.atMs;
  const size = isSentAtOnce ? 2 : 1;
  return [events.slice(0, size), ...events.slice(size).map((event) => [event])];
}

if (import.meta.main)
  process.stdout.write(JSON.stringify(record(JSON.parse(process.argv[2] ?? '') as Parameters<typeof record>[0])));
