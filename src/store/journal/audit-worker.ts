import { parentPort, workerData } from 'node:worker_threads';
import type { DataDirectory } from '../database/data-directory.ts';
import { auditJournal } from './audit.ts';

/** At leisure it works a quarter of the time, however fast the machine is. */
const IDLE_PER_WORK = 3;

const { directory, atLeisure } = workerData as { directory: DataDirectory; atLeisure: boolean };
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
let workedSinceMs = performance.now();

function rest(): void {
  Atomics.wait(nobodyWakes, 0, 0, IDLE_PER_WORK * (performance.now() - workedSinceMs));
  workedSinceMs = performance.now();
}

parentPort?.postMessage(atLeisure ? auditJournal(directory, rest) : auditJournal(directory));
