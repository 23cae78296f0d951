import type { Context } from '../context.ts';

/** Does something again and again, with a pause in between, until called off. */
export function every({ clock, log }: Context, pauseMs: number, work: () => Promise<void>): () => void {
  let stop = clock.after(pauseMs, run);
  function run(): void {
    work().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed; it is tried again'));
    stop = clock.after(pauseMs, run);
  }
  return () => stop();
}
