import type { ActionRow } from '../../store/records/actions.ts';
import type { Actions, createActionService } from '../actions/actions.ts';
import type { CallOffs } from '../actions/call-offs.ts';
import type { Execution } from '../actions/executions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Piece } from '../work/slices.ts';
import { createEmergencyStop } from './emergency-stop.ts';
import { createScreenLock } from './screen-lock.ts';
import { createShutdown } from './shutdown.ts';
import type { Standstill } from './standstill.ts';
import { createStartUp } from './start-up.ts';
import { createStorageWatch } from './storage-watch.ts';

const STOP = { reason: 'emergency_stop', by: 'person' } as const;

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

type StopParts = {
  live: LiveActions;
  execution: Execution;
  confirmations: Confirmations;
  actions: ReturnType<typeof createActionService>;
  tasks: Tasks;
};

/** The two states that hold everything: the emergency stop, and a locked screen or suspended computer. */
function createStops(context: Context, { live, execution, confirmations, actions, tasks }: StopParts) {
  /** A denial of the person stays one. Tasks go first, so that each ends as stopped by the person. */
  function* endings(): Generator<Piece> {
    yield* confirmations.denialEndings();
    yield* tasks.cancellations(STOP);
    for (const { id } of live.all()) yield () => withRow(id, (row) => actions.cancel(row, STOP));
  }

  function withRow(id: string, work: (row: ActionRow) => void): void {
    const row = live.get(id);
    if (row !== undefined) work(row);
  }

  const emergency = createEmergencyStop(context, {
    live,
    tell: (row) => execution.stop(row, 'emergency_stop'),
    endings,
  });
  const screen = createScreenLock(context, {
    live,
    endings: (details) => confirmations.endings({ status: 'expired', details }),
    goOn() {
      execution.lookAgain();
      tasks.goOn();
    },
  });
  return { emergency, screen, refusal: (): Refusal | undefined => emergency.refusal() ?? screen.refusal() };
}
