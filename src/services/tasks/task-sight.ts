import { type ControlName, nameInId } from '../../contract/control-name.ts';
import { keyOf, type Target, type TargetReference, targetFor } from '../../contract/targets.ts';
import { targetByName } from '../../domain/procedures/by-name.ts';
import { referencesOf } from '../actions/checked-action.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { isFound, NOTHING, type Sight } from '../targets/sight.ts';
import { nextTurn } from '../work/turns.ts';
import type { CheckedCall } from './checked-steps.ts';

/**
 * Looks once at the targets of all steps, for the prompt of the plan to show them. A step whose parameters come from an earlier result
 * is looked at when it is its turn.
 */
export async function sightOfTask(
  { userId, steps, procedure }: Pick<CheckedCall, 'userId' | 'steps' | 'procedure'>,
  { targets, rules }: Pick<SubmissionParts, 'targets' | 'rules'>,
): Promise<Sight> {
  const seen = { displays: rules.displays() };
  const named = steps.flatMap(({ checked }) => referencesOf(checked, seen));
  const isByName = procedure !== undefined;
  const names = isByName ? namesIn(named) : [];
  const references = isByName ? [...named.filter((each) => !isName(each)), ...names.map(appOf)] : named;
  if (references.length === 0) return NOTHING;
  const sight = await targets.sight(references, userId);
  await nextTurn(userId);
  return new Map([...sight, ...names.map((name) => asNamed(name, sight))]);
}

function isName(reference: TargetReference): boolean {
  return namesIn([reference]).length > 0;
}

function namesIn(references: readonly TargetReference[]): ControlName[] {
  return references.flatMap((reference) => (reference.kind === 'element' ? (nameInId(reference.elementId) ?? []) : []));
}

function appOf({ app }: ControlName): TargetReference {
  return { kind: 'app', name: app };
}

/** A control as its name alone tells of it: a procedure is judged and approved by that, before its windows are there. */
function asNamed(name: ControlName, sight: Sight): [string, Target] {
  const found = targetFor([...sight.values()].filter(isFound), appOf(name));
  const target = targetByName(name, found?.kind === 'app' ? found.app : undefined);
  return [keyOf(target), target];
}
