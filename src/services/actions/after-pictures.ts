import type { Display } from '../../contract/device.ts';
import { PICTURE_PLACE } from '../../contract/link.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { AgentQuestions } from '../agent/questions.ts';
import type { Clock } from '../context.ts';
import { evidenceParams, type Pictures } from './evidence.ts';

/** The times between the looks after an input. Nothing tells whether a page is still going on, so the last one counts. */
export const BETWEEN_LOOKS_MS = [250, 500, 500, 750];

type Parts = { ask: AgentQuestions['ask']; displays(): readonly Display[] };

/** Takes the pictures after inputs, when the screen has had the time to show their effect. */
export function createAfterPictures(clock: Pick<Clock, 'after'>, { ask, displays }: Parts) {
  const underWay = new Set<() => void>();

  /** Resolves after that time, or as soon as the looks have ended. */
  function pause(delayMs: number, ends: AbortSignal): Promise<void> {
    if (ends.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = clock.after(delayMs, resolve);
      ends.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  }

  return {
    /**
     * The latest picture from the two seconds after an input, and from before the next effect: nobody waits for it. The first look is
     * taken at once, because the next input may begin as soon as this one is recorded.
     */
    async after(row: Pick<ActionRow, 'actionType' | 'targets'>): Promise<Pictures> {
      const { evidence: parameters } = evidenceParams(row, displays());
      if (parameters === undefined) return [];
      const ending = new AbortController();
      const end = () => ending.abort();
      const { signal } = ending;
      const look = async () => {
        const outcome = await ask({ type: PICTURE_PLACE, parameters });
        return outcome?.ok === true ? outcome.attachments.map(asAfter) : undefined;
      };
      underWay.add(end);
      let latest = (await look()) ?? [];
      for (const delayMs of BETWEEN_LOOKS_MS) {
        await pause(delayMs, signal);
        if (signal.aborted) break;
        const next = await look();
        // What was seen while something else began is not the effect of this input.
        if (signal.aborted) break;
        latest = next ?? latest;
      }
      underWay.delete(end);
      return latest;
    },
    /** Something begins that may change the screen, or the agent is gone: what was seen until now counts. */
    endLooks(): void {
      for (const end of underWay) end();
    },
  };
}

function asAfter({ announced, bytes }: Pictures[number]): Pictures[number] {
  return { announced: { ...announced, role: 'after' }, bytes };
}
