import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { assetPath } from '../../launch/assets.ts';
import type { TrendAnswer, TrendRequest } from './trend-assessor.ts';

/**
 * Assesses trends in a thread of its own, with a read-only handle on the database: hundreds of windows are read each time. The thread
 * is started when it is first needed, again when it has failed, and does not keep the process alive. One request at a time. `settle`
 * stores the latest counts before the thread reads them.
 */
export function createTrendThread(databasePath: string, settle: () => void) {
  let worker: Worker | undefined;

  function start(): Worker {
    const started = new Worker(assetPath('trend-worker'), {
      workerData: databasePath,
      // Its work is not urgent, and less memory for new objects only makes it collect them more often.
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    });
    started.unref();
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    return started;
  }

  return {
    /** Rejects where the thread failed or was closed. */
    async assess(request: TrendRequest): Promise<TrendAnswer[]> {
      settle();
      const thread = worker ?? start();
      const over = new AbortController();
      const ended = once(thread, 'exit', over).then(([code]) => {
        throw new Error(
          `the thread that assesses trends ended with code ${code} and no answer; the next minute tries again`,
        );
      });
      try {
        thread.postMessage(request);
        const [answer] = await Promise.race([once(thread, 'message', over), ended]);
        return answer as TrendAnswer[];
      } finally {
        ended.catch(() => undefined);
        over.abort();
      }
    },
    close(): void {
      void worker?.terminate();
    },
  };
}
