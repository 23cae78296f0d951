const isShort = process.env.HANDRAIL_BENCH === 'short';

/** A tenth of so many calls, rounds, files or tasks with `HANDRAIL_BENCH=short`, for a machine with much other work. */
export function shortened(count: number): number {
  return isShort ? Math.ceil(count / 10) : count;
}
