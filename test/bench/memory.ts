import { setTimeout as delay } from 'node:timers/promises';
import {
  databaseBytes,
  describeScreens,
  openIdleReaders,
  peakMemory,
  residentMegabytes,
  startReadingLoad,
} from '../e2e/reading-load.ts';
import { get } from '../http/attacks/target.ts';
import type { Report } from './report.ts';

const LOOK_MS = 5_000;
const MOST_MEGABYTES = 400;
const MIB = 1024 * 1024;

/** Measures the memory that unread answers take, and the disk space that results take. */
export async function benchMemory(report: Report): Promise<void> {
  report.heading('Memory and disk under readers that take nothing, and results without a prompt');
  const load = await startReadingLoad();
  const { daemon, pictureRequest } = load;
  const peakOf = async (count: number, request: string) => {
    const readers = await openIdleReaders(load, count, request);
    const peak = await peakMemory(daemon.pid, () => delay(LOOK_MS));
    for (const reader of readers) reader.destroy();
    return peak.megabytes;
  };
  try {
    report.figure({ name: 'resident memory at rest', value: residentMegabytes(daemon.pid), unit: 'MB' });
    const goal = { atMost: MOST_MEGABYTES };
    const idle = await peakOf(200, pictureRequest);
    report.figure({ name: '200 idle readers of a 6 MiB picture, peak', value: idle, unit: 'MB', goal });
    const ahead = await peakOf(80, pictureRequest.repeat(10));
    report.figure({ name: '80 connections × 10 requests sent ahead, peak', value: ahead, unit: 'MB', goal });
    const [id] = await describeScreens(load, 1);
    const request = get({ host: '127.0.0.1', port: daemon.port }, `/api/tee/actions/${id}`, { userId: 'ann' });
    const results = await peakOf(200, request.repeat(10));
    report.figure({ name: '200 connections × 10 requests for a large result, peak', value: results, unit: 'MB' });
    const before = databaseBytes(load);
    await describeScreens(load, 100);
    const { usedBytes } = (await daemon.health()).body.storage.results;
    report.figure({ name: 'size of a result', value: usedBytes / 100 / 1024, unit: 'KiB' });
    const written = (databaseBytes(load) - before) / MIB;
    report.figure({ name: 'database and log after 100 results', value: written, unit: 'MiB more' });
    await describeScreens(load, 150);
    const full = databaseBytes(load);
    await describeScreens(load, 100);
    report.figure({
      name: 'database and log, 100 results beyond the quota',
      value: (databaseBytes(load) - full) / MIB,
      unit: 'MiB more',
      goal: { atMost: 10 },
    });
    report.figure({ name: 'database and log in all', value: databaseBytes(load) / MIB, unit: 'MiB' });
  } finally {
    await daemon.stop();
  }
}
