/**
 * Milliseconds of processor time that this thread has used. The clock stands still while the thread waits for the disk, or while
 * another program has the processor: a requester must not be charged for the load of the machine.
 */
export function workClockMs(): number {
  // Linux brings the time of a thread up to date at its ticks only, some milliseconds apart, and when asked for that of its process.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
