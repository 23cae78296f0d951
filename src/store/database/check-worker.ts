import { parentPort, workerData } from 'node:worker_threads';
import { checkDatabase } from './check.ts';

/** Works a quarter of the time, however fast the machine is. */
const IDLE_PER_WORK = 3;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
let workedSinceMs = performance.now();

function rest(): void {
  Atomics.wait(nobodyWakes, 0, 0, IDLE_PER_WORK * (performance.now() - workedSinceMs));
  workedSinceMs = performance.now();
}

parentPort?.postMessage(checkDatabase(String(workerData), rest));
