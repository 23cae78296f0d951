import type { ActionSubmission } from '../../contract/action.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import type { TargetReference } from '../../contract/targets.ts';
import { canonicalJson, canonicalObject } from '../../domain/canonical-json.ts';
import type { ActionDefinition, Assessed, Checked, Seen } from '../../domain/catalogue/definition.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

/**
 * An action whose parameters fit their schema. They are checked here and nowhere else in the daemon; everything that follows from
 * them comes from here.
 */
export type CheckedAction = {
  definition: ActionDefinition;
  parameters: Record<string, unknown>;
  /** The parameters as canonical JSON (RFC 8785), made once: digests, grants and prompts use this text. */
  arguments(): string;
  /** The targets that its parameters name. */
  references: readonly TargetReference[];
  /** The faults that its parameters have beside their schema. */
  faults(seen: Seen): SchemaFault[];
  /** Assesses the action with these facts about its targets, once for the same facts. */
  assess(seen: Seen): Assessed;
};

type Submitted = Pick<ActionSubmission, 'actionType' | 'parameters'>;

/** Checks the parameters of a submission, or says why there can be no such action. */
export function checkAction(submitted: Submitted): CheckedAction | Refusal {
  const { actionType } = submitted;
  const definition = CATALOGUE.get(actionType);
  if (definition === undefined) return unknownType(actionType);
  const parameters = definition.read(submitted.parameters);
  const checked = definition.check(parameters);
  if (!checked.ok) return invalidParameters(definition, checked.faults);
  const { references, faults } = checked;
  return {
    definition,
    parameters,
    arguments: canonicalOnce(parameters),
    references,
    faults,
    assess: assessedOnce(checked),
  };
}

/** The targets of an action that can be; none of one that is refused, or whose parameters come from a result that is not there yet. */
export function referencesOf(checked: CheckedAction | Refusal | 'open', seen: Seen): readonly TargetReference[] {
  if (checked === 'open' || isRefusal(checked) || checked.faults(seen).length > 0) return [];
  return checked.references;
}

/** A submission, or a step of one, as canonical JSON. */
export function canonicalSubmission(submitted: Submitted, checked: CheckedAction | Refusal | 'open'): string {
  if (checked === 'open' || isRefusal(checked)) return canonicalJson(submitted);
  const { parameters: _parameters, ...rest } = submitted;
  const members = Object.entries(rest).map(([name, value]) => [name, canonicalJson(value)]);
  return canonicalObject({ ...Object.fromEntries(members), parameters: checked.arguments() });
}

function canonicalOnce(parameters: Record<string, unknown>): () => string {
  let text: string | undefined;
  return () => {
    text ??= canonicalJson(parameters);
    return text;
  };
}

const MOST_KEPT = 3;

/** A step is judged for its plan and at its turn, and often nothing more is known then than before. */
function assessedOnce({ assess }: Extract<Checked, { ok: true }>): CheckedAction['assess'] {
  const made: { seen: Seen; assessed: Assessed }[] = [];
  return (seen) => {
    if (hasContents(seen)) return assess(seen);
    const known = made.find((each) => isSame(each.seen, seen));
    if (known !== undefined) return known.assessed;
    const assessed = assess(seen);
    made.push({ seen, assessed });
    // The first one is by the parameters alone, and is needed again and again.
    if (made.length > MOST_KEPT) made.splice(1, 1);
    return assessed;
  };
}

/** Contents are large, and a kept judgement lives as long as its task. So judgements of contents are not kept. */
function hasContents({ targets, artifact }: Seen): boolean {
  return artifact !== undefined || filesIn(targets).some(({ inside }) => inside !== undefined);
}

function isSame(one: Seen, other: Seen): boolean {
  return (
    one.machine === other.machine &&
    isSameList(one.targets, other.targets) &&
    isSameList(one.displays, other.displays) &&
    isSameList(one.folders, other.folders)
  );
}

function isSameList(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one === other || (one.length === other.length && one.every((each, index) => each === other[index]));
}

function unknownType(actionType: string): Refusal {
  return {
    refused: 'unknown_action_type',
    detail: `There is no action type "${actionType}". The known ones are ${[...CATALOGUE.keys()].join(', ')}.`,
    see: 'actionTypes',
  };
}

/** Lists the faults in the parameters of an action. */
export function invalidParameters(
  definition: ActionDefinition,
  faults: { pointer: string; message: string }[],
): Refusal {
  const errors = faults.map(({ pointer, message }) => ({ pointer: `/parameters${pointer}`, message }));
  return {
    refused: 'parameters_invalid',
    detail: `The parameters do not fit ${definition.name}: ${listed(errors)}.`,
    see: 'actionTypes',
    errors,
  };
}

const MOST_LISTED = 3;

function listed(errors: readonly { pointer: string; message: string }[]): string {
  const told = errors.slice(0, MOST_LISTED).map(({ pointer, message }) => `${pointer} ${message}`);
  const rest = errors.length - told.length;
  return told.join('; ') + (rest > 0 ? `; and ${rest} more, see errors` : '');
}
