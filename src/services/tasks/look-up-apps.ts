import type { SubmissionParts } from '../actions/submission-parts.ts';
import { lookUp, needsNothing, toLookUp } from '../actions/to-look-up.ts';
import type { CheckedCall } from './checked-steps.ts';

/**
 * Asks the agent about each app and path that the steps name, once, and then goes on: the prompt for the plan is to show the risk
 * of the app or file and not that of its name. A step whose parameters come from an earlier result is looked up at its turn.
 */
export function whenLookedUp<Answer>(
  { steps }: CheckedCall,
  { apps, paths, rules, stopped }: Pick<SubmissionParts, 'apps' | 'paths' | 'rules' | 'stopped'>,
  goOn: () => Promise<Answer>,
): Promise<Answer> {
  if (stopped() !== undefined) return goOn();
  const needs = steps.map(({ checked }) => toLookUp(checked, rules.displays()));
  return needs.every(needsNothing) ? goOn() : lookUp(needs, { apps, paths }).then(goOn);
}
