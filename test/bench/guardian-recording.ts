import Database from 'better-sqlite3';
import { dataDirectoryAt } from '../../src/store/data-directory.ts';
import { createJournal, type JournalEvent } from '../../src/store/journal.ts';
import { createRecording } from '../../src/store/recording.ts';
import type { Built } from './guardian-database.ts';
import { history } from './guardian-history.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

const ACTIONS = 3_000;
const WARM_UP = 300;

/**
 * What counting adds to the transactions of an action, measured inside of them: noting its events and storing the minute.
 * Processor time is known to some milliseconds only, so of it there is a mean.
 */
export function benchRecording({ path, presentMs }: Built, report: Report): void {
  report.heading('What recording adds to an action, all of its transactions together');
  const database = new Database(dataDirectoryAt(path).database);
  for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'wal_autocheckpoint = 8000'])
    database.pragma(pragma);
  const recording = createRecording(database);
  let countingMs = 0;
  let processorMs = 0;
  const counted = (work: () => void) => {
    const startedAtMs = performance.now();
    const { user: userBefore, system: systemBefore } = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage();
    processorMs += (user + system - userBefore - systemBefore) / 1_000;
    countingMs += performance.now() - startedAtMs;
  };
  const journal = createJournal(database, (event) => counted(() => recording.note(event)));
  const inTransaction = database.transaction((atMs: number, event: JournalEvent) => {
    journal.append(atMs, event);
    counted(recording.flush);
  });
  const samples: number[] = [];
  for (const past of history({ rows: WARM_UP + ACTIONS, days: 1, endMs: presentMs, deviceId: 'dev_bench' })) {
    countingMs = 0;
    for (const { atMs: _, ...event } of past.events) inTransaction(presentMs, event);
    samples.push(countingMs);
  }
  database.close();
  const measured = samples.slice(WARM_UP);
  report.figure({ name: 'p50', value: median(measured), unit: 'ms' });
  report.figure({ name: 'processor, mean', value: processorMs / samples.length, unit: 'ms' });
  report.figure({ name: 'p99', value: quantile(measured, 0.99), unit: 'ms', goal: { atMost: 0.2 } });
}
