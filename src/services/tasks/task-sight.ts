import { type ControlName, nameInId } from '../../contract/control-name.ts';
import { keyOf, type Target, type TargetReference, targetFor } from '../../contract/targets.ts';
import { targetByName } from '../../domain/procedures/words.ts';
import { referencesOf } from '../actions/checked-action.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import type { MachineAgent } from '../machines/agents.ts';
import { isRefusal } from '../refusal.ts';
import { isFound, NOTHING, type Sight } from '../targets/sight.ts';
import { nextTurn } from '../work/turns.ts';
import type { CheckedCall } from './checked-steps.ts';

/** What was seen on the machine of a device. */
export type SightOf = (deviceId: string) => Sight;

/**
 * Looks once at the targets of all steps, on each machine, for the prompt of the plan to show them. A step whose parameters come from
 * an earlier result is looked at when it is its turn.
 */
export async function sightOfTask(
  { userId, steps, procedure }: Pick<CheckedCall, 'userId' | 'steps' | 'procedure'>,
  { agents, deviceOf }: Pick<SubmissionParts, 'agents' | 'deviceOf'>,
): Promise<SightOf> {
  const sights = new Map<MachineAgent, Sight>();
  // A task that names a device of another requester is refused, and looks at nothing there.
  const named = new Set(steps.map(({ step }) => step.targetDeviceId));
  const own = new Set([...named].filter((deviceId) => !isRefusal(deviceOf(userId, deviceId))));
  const looked = steps.filter(({ step }) => own.has(step.targetDeviceId));
  for (const [agent, there] of Map.groupBy(looked, ({ step }) => agents.of(step.targetDeviceId))) {
    const found = there.flatMap(({ checked }) => referencesOf(checked, { displays: agent.displays() }));
    const names = procedure === undefined ? [] : namesIn(found);
    const references =
      procedure === undefined ? found : [...found.filter((each) => !isName(each)), ...names.map(appOf)];
    if (references.length === 0) continue;
    const sight = await agent.targets.sight(references, userId);
    await nextTurn(userId);
    sights.set(agent, new Map([...sight, ...names.map((name) => asNamed(name, sight))]));
  }
  return (deviceId) => sights.get(agents.of(deviceId)) ?? NOTHING;
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
