/**
 * Of the time of `loop`. Work that grows with the length of the longest text takes at most 3 here, also on a busy machine; work that grows
 * with its square takes 40 or more.
 */
const MOST_SHARE = 20;
const TRIES = 10;

/** Whether a function reads a text of repeated pieces, as long as can be, in a time that a person does not notice. */
export function isFast({ most, read }: { most: number; read(text: string): unknown }, piece: string): boolean {
  const text = piece.repeat(Math.ceil(most / piece.length)).slice(0, most);
  return isShort(() => read(text));
}

/** Whether some work takes less than `MOST_SHARE` of the time of `loop`. The least time of each counts: a pause of the machine changes nothing. */
export function isShort(work: () => unknown): boolean {
  const least = { work: Number.POSITIVE_INFINITY, loop: Number.POSITIVE_INFINITY };
  for (let tries = 1; tries <= TRIES; tries += 1) {
    least.work = Math.min(least.work, spentMs(work));
    if (least.work <= SHORT_MS) return true;
    least.loop = Math.min(least.loop, spentMs(loop));
    if (least.work < MOST_SHARE * least.loop) return true;
  }
  return false;
}

/** What takes less needs no comparison. */
const SHORT_MS = 5;

/** The time of this process for some work, in milliseconds. */
function spentMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Takes about 25 ms on a machine on which no reading takes more than 50 ms. */
function loop(): number {
  let sum = 0;
  for (let turn = 0; turn < 7_000_000; turn += 1) sum = (sum + turn) % 7;
  return sum;
}
