import { isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Clock } from '../context.ts';

/**
 * The input that may still be under way, and when the last of it ended. A prompt can only be allowed by a hand that is not ours, so an
 * agent that was given up counts as still typing until it reports or is gone.
 */
export function createInputWatch(clock: Pick<Clock, 'nowMs'>, { ended }: { ended(): void }) {
  const underWay = new Set<string>();
  let endedAtMs = Number.NEGATIVE_INFINITY;

  function noteEnd(): void {
    if (underWay.size === 0) endedAtMs = clock.nowMs();
    ended();
  }

  return {
    began({ id, actionType }: ActionRow): void {
      if (isInput(actionType)) underWay.add(id);
    },
    /** The agent reported the end of an attempt. */
    reported(id: string): void {
      if (underWay.delete(id)) noteEnd();
    },
    /** The agent is gone, and with it everything it had in hand. */
    agentGone(): void {
      const wasUnderWay = underWay.size > 0;
      underWay.clear();
      if (wasUnderWay) noteEnd();
    },
    /** Since when no input runs, in epoch ms: infinite while some may run. */
    endedAtMs: (): number => (underWay.size > 0 ? Number.POSITIVE_INFINITY : endedAtMs),
  };
}
