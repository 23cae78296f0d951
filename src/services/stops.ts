import type { createActionService } from './actions/actions.ts';
import type { LiveActions } from './actions/live-actions.ts';
import type { Runner } from './actions/runner.ts';
import type { Confirmations } from './confirmations/confirmations.ts';
import type { Context } from './context.ts';
import { createEmergencyStop } from './emergency-stop.ts';
import type { Refusal } from './refusal.ts';
import { createScreenLock } from './screen-lock.ts';
import type { createTaskService } from './tasks/tasks.ts';

type StopParts = {
  live: LiveActions;
  runner: Runner;
  confirmations: Confirmations;
  actions: ReturnType<typeof createActionService>;
  tasks: ReturnType<typeof createTaskService>;
};

/** What can hold everything: the person's word, and that nobody can sit here. */
export function createStops(context: Context, { live, runner, confirmations, actions, tasks }: StopParts) {
  const emergency = createEmergencyStop(context, {
    live,
    denyAll: confirmations.denyAll,
    stop: (row) => actions.cancel(row, 'emergency_stop'),
    stopTasks: () => tasks.cancelAll('emergency_stop'),
  });
  const screen = createScreenLock(context, {
    live,
    expireAll: confirmations.expireAll,
    goOn() {
      runner.agentChanged();
      tasks.goOn();
    },
  });
  return { emergency, screen, refusal: (): Refusal | undefined => emergency.refusal() ?? screen.refusal() };
}
