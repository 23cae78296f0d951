import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { createTrendAssessor, type TrendRequest } from './trend-assessor.ts';

/** Enough for the rows of windows that are one after the other, and for the same hour of other days as it moves on. */
const WINDOWS_KEPT = 4_000;

const database = new Database(String(workerData), { readonly: true, fileMustExist: true });
const assess = createTrendAssessor(database, { windowsKept: WINDOWS_KEPT });

parentPort?.on('message', (request: TrendRequest) => {
  parentPort?.postMessage(assess(request));
});
