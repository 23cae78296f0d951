/** Asking the system costs some hundredths of a millisecond, and a call asks four times. In between the wall clock is close enough. */
const EXACT_FOR_MS = 2;

let asked = { atMs: Number.NEGATIVE_INFINITY, processorMs: 0 };

/**
 * Milliseconds of processor time that this thread has used, to within 2 ms: the clock runs on for that long after the system was
 * asked. Otherwise it stands still while the thread waits for the disk or the processor: a requester must not be charged for the
 * load of the machine. A later reading can be up to 2 ms less than an earlier one.
 */
export function workClockMs(): number {
  const nowMs = performance.now();
  if (nowMs - asked.atMs >= EXACT_FOR_MS) asked = { atMs: nowMs, processorMs: processorMs() };
  return asked.processorMs + nowMs - asked.atMs;
}

function processorMs(): number {
  // Linux brings the time of a thread up to date at its ticks only, some milliseconds apart, and when asked for that of its process.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
