/** For a machine with much other work, and to see in tests that a part runs to its end. */
const SHARES: Readonly<Record<string, number>> = { short: 10, quick: 100 };
const share = SHARES[process.env.HANDRAIL_BENCH ?? ''] ?? 1;

/** A tenth of so many calls, rounds, files or tasks with `HANDRAIL_BENCH=short`, a hundredth with `quick`. */
export function shortened(count: number): number {
  return Math.ceil(count / share);
}
