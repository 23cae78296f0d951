import type { ActionRow } from '../../store/records/actions.ts';
import { stageCancel } from '../actions/called-off.ts';
import type { Execution } from '../actions/executions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import { createSlicedEnds } from '../actions/sliced-ends.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { createSlices } from '../work/slices.ts';

/** How long recording the ends, and running work, may take when the daemon stops. */
const DRAIN_MS = 8_000;
const UNANSWERED = 'The daemon was stopped before a person answered; nothing was done.';

const STOPPING: Refusal = {
  refused: 'paused',
  detail: 'The daemon is stopping. Try again once it has been started again.',
};

type Parts = {
  live: LiveActions;
  execution: Pick<Execution, 'stop'>;
  confirmations: Pick<Confirmations, 'endings'>;
};

/**
 * Ends the unfinished work when the daemon stops. The agent is told to stop running actions, prompts expire, and unsent actions are
 * cancelled. There may be hundreds, so their ends are recorded in slices. The next start ends the rest.
 */
export function createShutdown(context: Context, { live, execution, confirmations }: Parts) {
  const { clock, log } = context;
  let hasBegun = false;
  let isOver = false;

  const failed = (error: unknown) =>
    log.error({ err: error }, 'not everything could be recorded as ended; it is tried again');

  /** Tells the agent to stop what runs. A requester that cancelled an action has told it already. */
  function stop({ id, status, cancelRequestedAtMs }: ActionRow): void {
    const asked = live.get(id);
    if (status === 'running' && cancelRequestedAtMs === undefined && asked !== undefined)
      execution.stop(asked, 'shutdown');
  }

  /** Resolves when the cancellation of these actions is stored. An action that was not sent has ended then. */
  function cancelled(ids: readonly string[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = createSlicedEnds(context, {
      stage(id) {
        const row = isOver ? undefined : live.get(id);
        const takeIn = row && stageCancel(context, live, { row });
        return () => {
          takeIn?.();
          if (row !== undefined) stop(row);
        };
      },
      done: resolve,
      failed,
    });
    start(ids);
    return promise;
  }

  function expired(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slices = createSlices(context, { done: resolve, failed });
    const pieces = Iterator.from(confirmations.endings({ status: 'expired', details: UNANSWERED }));
    slices.begin(pieces.map((piece) => () => (isOver ? undefined : piece())));
    return promise;
  }

  async function everythingEnded(): Promise<void> {
    const running = live.all().filter(({ status }) => status === 'running');
    const ends = running.map(({ id }) => new Promise<void>((resolve) => void live.whenEnded(id, () => resolve())));
    await cancelled(running.map(({ id }) => id));
    await expired();
    await cancelled(live.all().flatMap(({ id, status }) => (status === 'running' ? [] : [id])));
    await Promise.all(ends);
  }

  return {
    refusal: (): Refusal | undefined => (hasBegun ? STOPPING : undefined),
    /** Resolves when all of it has ended, or the time for that is over. From the call on nothing is taken and nothing is sent. */
    async end(): Promise<void> {
      hasBegun = true;
      const patience = Promise.withResolvers<void>();
      const stop = clock.after(DRAIN_MS, patience.resolve);
      await Promise.race([everythingEnded(), patience.promise]);
      isOver = true;
      stop();
    },
  };
}
