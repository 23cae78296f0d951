import type { Bound, ProcedureStep, ProcedureSubmission } from '../../../src/contract/procedure.ts';

/** A text or number in the parameters of a step. `key`: its step and place. */
export type Leaf = { key: string; label: string; value: string | number | boolean };

/** What may stand in the place of a value, as the person fills it in. `detail`: the pattern, the list or the folder. */
export type Variable = {
  name: string;
  kind: 'text' | 'pattern' | 'choice' | 'path' | 'number';
  detail: string;
  minimum: string;
  maximum: string;
};

const USUAL_LENGTH = 200;

export function leavesOf({ id, parameters }: Pick<ProcedureStep, 'id' | 'parameters'>): Leaf[] {
  return leavesIn(parameters, id);
}

function leavesIn(value: unknown, key: string): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ key, label: key.slice(key.indexOf('/') + 1).replaceAll('/', ' '), value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => leavesIn(each, `${key}/${name}`));
}

/** A first proposal for a value that is to differ: its name from the control or the member. */
export function proposedVariable(
  { target }: ProcedureStep,
  { label, value }: Leaf,
  taken: readonly string[],
): Variable {
  const [, folder = ''] = /^((?:~|)\/.*[^/])\/[^/]+$/u.exec(String(value)) ?? [];
  const kind = typeof value === 'number' ? 'number' : folder === '' ? 'text' : 'path';
  const number = typeof value === 'number' ? String(value) : '';
  return { name: freeName(target?.name ?? label, taken), kind, detail: folder, minimum: number, maximum: number };
}

function freeName(words: string, taken: readonly string[]): string {
  const parts = words.normalize('NFKD').match(/[A-Za-z][A-Za-z0-9]*/gu) ?? ['value'];
  const joined = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  const name = `${joined.charAt(0).toLowerCase()}${joined.slice(1, 28)}`;
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}${number}`;
    if (!taken.includes(free)) return free;
  }
}

function boundOf({ kind, detail, minimum, maximum }: Variable, value: Leaf['value']): Bound {
  const maxLength = Math.max(USUAL_LENGTH, String(value).length);
  switch (kind) {
    case 'number':
      return {
        type: 'number',
        minimum: Number(minimum),
        maximum: Number(maximum),
        ...([value, Number(minimum), Number(maximum)].every(Number.isInteger) && { isWhole: true }),
      };
    case 'choice':
      return { type: 'choice', values: [...new Set(detail.split('\n').filter((line) => line.trim() !== ''))] };
    case 'path':
      return { type: 'path', under: detail };
    case 'pattern':
      return { type: 'text', maxLength, pattern: detail };
    case 'text':
      return { type: 'text', maxLength };
  }
}

type Chosen = { name: string; variables: ReadonlyMap<string, Variable>; leftOut: ReadonlySet<string> };

/** The draft without the steps that were left out, and with a parameter in the place of each value that is to differ. */
export function madeOf(draft: ProcedureSubmission, { name, variables, leftOut }: Chosen): ProcedureSubmission {
  const steps = draft.steps.filter(({ id }) => !leftOut.has(id));
  const bounds = steps.flatMap((step) =>
    leavesOf(step).flatMap(({ key, value }) => {
      const variable = variables.get(key);
      return variable === undefined ? [] : [[variable.name, boundOf(variable, value)] as const];
    }),
  );
  return {
    ...draft,
    name,
    // Of one name that stands in two places the first bound counts.
    parameters: { ...draft.parameters, ...Object.fromEntries(bounds.toReversed()) },
    steps: steps.map((step) => ({
      ...step,
      parameters: replaced(step.parameters, step.id, variables) as ProcedureStep['parameters'],
    })),
  };
}

function replaced(value: unknown, key: string, variables: Chosen['variables']): unknown {
  const variable = variables.get(key);
  if (variable !== undefined) return { $parameter: variable.name };
  if (Array.isArray(value)) return value.map((each, index) => replaced(each, `${key}/${index}`, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaced(each, `${key}/${name}`, variables)]),
  );
}
