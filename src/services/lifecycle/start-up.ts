import type { Execution } from '../actions/executions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import type { EmergencyStop } from './emergency-stop.ts';
import { type Recovering, recoveries } from './recovery.ts';
import type { ScreenChange } from './screen-lock.ts';

type Parts = Pick<Recovering, 'live' | 'callOffs'> & {
  live: LiveActions;
  execution: Execution;
  confirmations: Pick<Confirmations, 'plans'>;
  tasks: { load(): Iterable<Piece>; goOn(): void };
  emergency: Pick<EmergencyStop, 'isPaused' | 'carryOut'>;
  callOffs: { carryOut(): void };
  screen: { changed(now: ScreenChange): void };
};

const STARTING: Refusal = {
  refused: 'paused',
  detail: 'The daemon is starting and takes up the work of its last run. Try again in some seconds.',
};

/**
 * Loads the unfinished work of the run before, up to ten thousand steps, in slices. The daemon takes no new work, sends nothing
 * and begins nothing until all of it is loaded.
 */
export function createStartUp(context: Context, parts: Parts) {
  const { log } = context;
  const loaded = Promise.withResolvers<void>();
  const screenChanges: ScreenChange[] = [];
  let isLoading = false;
  let isEnding = false;
  const slices = createSlices(context, { done, failed });

  function failed(error: unknown): void {
    log.error({ err: error }, 'the work of the last run could not be taken up yet; it is tried again');
  }

  function* pieces(): Generator<Piece> {
    const { tasks, confirmations, emergency, ...others } = parts;
    const isStopped = emergency.isPaused();
    const all = [() => tasks.load(), ...(isStopped ? [] : [confirmations.plans.endOfRun])];
    for (const each of [...all, () => recoveries(context, { ...others, isStopped })]) {
      for (const piece of each()) {
        if (isEnding) return;
        yield () => isEnding || piece();
      }
    }
  }

  function done(): void {
    isLoading = false;
    if (!isEnding) goOn();
    loaded.resolve();
  }

  function goOn(): void {
    const { screen, callOffs, emergency, execution, tasks } = parts;
    for (const now of screenChanges.splice(0)) screen.changed(now);
    callOffs.carryOut();
    emergency.carryOut();
    execution.lookAgain();
    tasks.goOn();
  }

  return {
    /** Resolves when all of it is loaded. Throws when the storage refuses the first slice. */
    begin(): Promise<void> {
      isLoading = true;
      slices.start(pieces());
      return loaded.promise;
    },
    refusal: (): Refusal | undefined => (isLoading ? STARTING : undefined),
    /** A change of the screen concerns all work, so it waits until all work is loaded. */
    screen(now: ScreenChange): void {
      if (isLoading) screenChanges.push(now);
      else parts.screen.changed(now);
    },
    /** Stops loading. The next start loads the rest. */
    end(): void {
      isEnding = true;
    },
  };
}
