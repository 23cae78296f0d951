import type { Attempt, Outcome } from './drivers/outcome.ts';
import { stoppedFailure } from './drivers/stopping.ts';

/** Does nothing for a while; stops when the attempt is stopped. The same on every platform. */
export function wait(durationMs: number, { signal }: Attempt): Promise<Outcome<{ waitedMs: number }>> {
  if (signal.aborted) return Promise.resolve(stoppedFailure(signal, 'none'));
  if (durationMs === 0) return Promise.resolve(waited(0));
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve(stoppedFailure(signal, 'none'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(waited(durationMs));
    }, durationMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function waited(durationMs: number): Outcome<{ waitedMs: number }> {
  return { ok: true, details: `Waited ${durationMs} ms.`, effect: 'none', data: { waitedMs: durationMs } };
}
