import type { Actions } from '../actions/actions.ts';
import type { CallOffs } from '../actions/call-offs.ts';
import type { Execution } from '../actions/execution.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { createShutdown } from './shutdown.ts';
import type { Standstill } from './standstill.ts';
import { createStartUp } from './start-up.ts';
import { createStops } from './stops.ts';
import { createStorageWatch } from './storage-watch.ts';

type LifecycleParts = {
  live: LiveActions;
  execution: Execution;
  confirmations: Confirmations;
  callOffs: CallOffs;
  actions: Actions;
  tasks: Tasks;
  standstill: Standstill;
};

/** Start, shutdown, stop and locked screen: they hold everything, and act on all that is under way. */
export function createLifecycle(context: Context, { callOffs, standstill, ...parts }: LifecycleParts) {
  const { live, execution, confirmations, tasks } = parts;
  const stops = createStops(context, parts);
  const shutdown = createShutdown(context, parts);
  const startUp = createStartUp(context, { live, callOffs, execution, confirmations, tasks, ...stops });
  const storageWatch = createStorageWatch(context, { stop: stops.emergency });
  const refusals = [shutdown.refusal, startUp.refusal, storageWatch.refusal, stops.refusal];
  standstill.heldBy({ refusals, heldUntilMs: stops.screen.heldUntilMs });
  callOffs.observedBy((running, reason) => {
    for (const row of running) execution.stop(row, reason);
  });
  return { startUp, shutdown, storageWatch, stop: stops.emergency, screen: stops.screen };
}
