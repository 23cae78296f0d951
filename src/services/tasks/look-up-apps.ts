import { appToLookUp } from '../actions/app-to-look-up.ts';
import type { SubmissionParts } from '../actions/submission.ts';
import type { TaskCall } from '../services.ts';

/**
 * Asks the agent about each app that the steps name, once, and then goes on: the prompt for the plan is to show the risk of the
 * app and not that of the name. A step whose app comes from an earlier result is looked up when it is its turn.
 */
export function whenLookedUp<Answer>(
  { body }: TaskCall,
  { apps, stopped }: Pick<SubmissionParts, 'apps' | 'stopped'>,
  goOn: () => Promise<Answer>,
): Promise<Answer> {
  if (stopped() !== undefined) return goOn();
  const names = new Set(body.steps.flatMap(({ actionType, parameters }) => appToLookUp(actionType, parameters) ?? []));
  return names.size === 0 ? goOn() : Promise.all([...names].map((name) => apps.learn(name))).then(goOn);
}
