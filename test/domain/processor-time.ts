/** Of the times of a text and of its eighth: 8 for a linear time, 64 for a quadratic one. */
const MOST_RATIO = 24;
/** Of the time of `loop`: it tells a linear reading that takes seconds. A noisy machine does not reach it. */
const MOST_SHARE = 20;
/** Of the time of `loop`: a work that takes no longer for the longest text is fast, however it grows. */
const FAST_SHARE = 1;
const TRIES = 10;
/** Of the loop at the start: what takes less is too short to be measured. */
const SHORT_MS = 0.2 * Math.min(...[1, 2, 3].map(() => spentMs(loop)));

export type Growth = { ratio: number; share: number; isFast: boolean };

const TOO_SHORT: Growth = { ratio: 0, share: 0, isFast: true };

/**
 * How the time of a work grows with a text of repeated pieces, unless the time is too short to measure. The whole text, its eighth and the
 * loop are measured one after the other in each try, and the least of each counts. The bounds are a factor of three away from what a linear
 * work takes, so that a busy machine changes nothing.
 */
export function growthOf({ most, read }: { most: number; read(text: string): unknown }, piece: string): Growth {
  const whole = filled(piece, most);
  const eighth = filled(piece, Math.floor(most / 8));
  const least = { whole: Number.POSITIVE_INFINITY, eighth: Number.POSITIVE_INFINITY, loop: Number.POSITIVE_INFINITY };
  const measured = (which: keyof typeof least, work: () => unknown) => {
    least[which] = Math.min(least[which], spentMs(work));
  };
  let [ratio, share] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 1; tries <= TRIES && !isFast(ratio, share); tries += 1) {
    measured('whole', () => read(whole));
    if (least.whole <= SHORT_MS) return TOO_SHORT;
    measured('loop', loop);
    measured('eighth', () => read(eighth));
    share = least.whole / least.loop;
    ratio = least.whole / Math.max(least.eighth, 0.1);
  }
  return { ratio, share, isFast: isFast(ratio, share) };
}

/** How many times as long as `loop` a work takes, as `growthOf` measures it. */
export function shareOf(work: () => unknown): number {
  const least = { work: Number.POSITIVE_INFINITY, loop: Number.POSITIVE_INFINITY };
  for (let tries = 1; tries <= 3; tries += 1) {
    least.work = Math.min(least.work, spentMs(work));
    least.loop = Math.min(least.loop, spentMs(loop));
  }
  return least.work / least.loop;
}

function isFast(ratio: number, share: number): boolean {
  return share <= FAST_SHARE || (ratio <= MOST_RATIO && share <= MOST_SHARE);
}

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

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
