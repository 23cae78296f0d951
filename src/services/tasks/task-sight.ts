import { referencesOf } from '../actions/checked-action.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { NOTHING, type Sight } from '../targets/sight.ts';
import { nextTurn } from '../work/turns.ts';
import type { CheckedCall } from './checked-steps.ts';

/**
 * Looks once at the targets of all steps, for the prompt of the plan to show them. A step whose parameters come from an earlier result
 * is looked at when it is its turn.
 */
export async function sightOfTask(
  { userId, steps }: Pick<CheckedCall, 'userId' | 'steps'>,
  { targets, rules }: Pick<SubmissionParts, 'targets' | 'rules'>,
): Promise<Sight> {
  const seen = { displays: rules.displays() };
  const references = steps.flatMap(({ checked }) => referencesOf(checked, seen));
  if (references.length === 0) return NOTHING;
  const sight = await targets.sight(references, userId);
  await nextTurn(userId);
  return sight;
}
