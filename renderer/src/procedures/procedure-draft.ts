import type { Bound, ProcedureStep, ProcedureSubmission } from '../../../src/contract/procedure.ts';
import { folderOfPath, freeName } from '../../../src/contract/procedure-values.ts';

/** A value in the parameters of a step. `key`: its step and place. */
export type Leaf = { key: string; value: unknown };

/** What is to stand in the place of a value. `detail`: the pattern, the list, the folder or the range. */
export type Variable = { name: string; kind: 'text' | 'pattern' | 'choice' | 'path' | 'number'; detail: string };

const USUAL_LENGTH = 200;

export function leavesOf({ id, parameters }: ProcedureStep): Leaf[] {
  const leaves: Leaf[] = [];
  changed(parameters, id, (leaf) => leaves.push(leaf));
  return leaves;
}

/** A first proposal for a value that is to differ: its name is that of the control or the member. */
export function proposedVariable({ target }: ProcedureStep, { key, value }: Leaf, taken: readonly string[]): Variable {
  const name = freeName(target?.name ?? key.slice(key.indexOf('/')), taken);
  if (typeof value === 'number') return { name, kind: 'number', detail: `${value} to ${value}` };
  const folder = folderOfPath(String(value));
  return folder === undefined ? { name, kind: 'text', detail: '' } : { name, kind: 'path', detail: folder };
}

type Chosen = { name: string; variables: Readonly<Record<string, Variable>>; leftOut: ReadonlySet<string> };

/** The draft without the steps that were left out, and with a parameter in the place of each value that is to differ. */
export function madeOf(draft: ProcedureSubmission, { name, variables, leftOut }: Chosen): ProcedureSubmission {
  const parameters: Record<string, Bound> = {};
  const filled = ({ key, value }: Leaf) => {
    const variable = variables[key];
    if (variable === undefined) return value;
    parameters[variable.name] = boundOf(variable, value);
    return { $parameter: variable.name };
  };
  const steps = draft.steps
    .filter(({ id }) => !leftOut.has(id))
    .map((step) => {
      const made = changed(step.parameters, step.id, filled) as ProcedureStep['parameters'];
      return { ...step, parameters: made, ...expectedFile(step, made) };
    });
  return { ...draft, name, parameters, steps };
}

/** The file that must be there is that of a parameter of the step, whatever it became. */
function expectedFile(
  { parameters, expect }: ProcedureStep,
  made: ProcedureStep['parameters'],
): Pick<ProcedureStep, 'expect'> {
  const isFile = (value: unknown) => JSON.stringify(value) === JSON.stringify(expect?.file);
  const name = Object.keys(parameters).find((each) => isFile(parameters[each]));
  if (expect?.file === undefined || name === undefined) return {};
  return { expect: { ...expect, file: made[name] as typeof expect.file } };
}

/** What a comparison of two runs proposes: what differs between them, by its place. */
export function proposedVariables({ steps, parameters }: ProcedureSubmission): Record<string, Variable> {
  const all = steps.flatMap(leavesOf).flatMap(({ key, value }) => {
    const name = String(Object(value).$parameter ?? '');
    const bound = parameters[name];
    return bound === undefined ? [] : [[key, variableOf(name, bound)] as const];
  });
  return Object.fromEntries(all);
}

function variableOf(name: string, bound: Bound): Variable {
  switch (bound.type) {
    case 'number':
      return { name, kind: 'number', detail: `${bound.minimum} to ${bound.maximum}` };
    case 'choice':
      return { name, kind: 'choice', detail: bound.values.join('\n') };
    case 'path':
      return { name, kind: 'path', detail: bound.under };
    case 'text':
      return { name, kind: bound.pattern === undefined ? 'text' : 'pattern', detail: bound.pattern ?? '' };
  }
}

function changed(value: unknown, key: string, change: (leaf: Leaf) => unknown): unknown {
  if (typeof value !== 'object' || value === null || '$parameter' in value) return change({ key, value });
  if (Array.isArray(value)) return value.map((each, index) => changed(each, `${key}/${index}`, change));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, changed(each, `${key}/${name}`, change)]),
  );
}

function boundOf({ kind, detail }: Variable, value: unknown): Bound {
  const maxLength = Math.max(USUAL_LENGTH, String(value).length);
  switch (kind) {
    case 'number': {
      const [minimum = Number.NaN, maximum = Number.NaN] = detail.split('to').map(Number);
      return { type: 'number', minimum, maximum, ...(Number.isInteger(value) && { isWhole: true }) };
    }
    case 'choice':
      return { type: 'choice', values: [...new Set(detail.split('\n').filter((line) => line.trim() !== ''))] };
    case 'path':
      return { type: 'path', under: detail };
    default:
      return { type: 'text', maxLength, ...(kind === 'pattern' && { pattern: detail }) };
  }
}
