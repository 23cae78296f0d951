import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { EffectClass } from '../contract/action.ts';
import {
  MOST_FAULTS,
  pointerToken,
  type SchemaFault,
  schemaFaults,
  unknownProperty,
} from '../contract/schema-faults.ts';
import { MAX_STEPS, type Retry } from '../contract/task.ts';

export type GraphStep = {
  id: string;
  dependsOn?: readonly string[];
  parameters: unknown;
  retry?: Retry;
  /** The effect class of its action type; absent if the type is unknown. */
  effectClass?: EffectClass | undefined;
};

export type GraphFault = {
  fault:
    | 'too_many_steps'
    | 'duplicate_id'
    | 'self_dependency'
    | 'unknown_dependency'
    | 'cycle'
    | 'retry_of_once'
    | 'reference_malformed'
    | 'reference_not_ancestor';
  /** The place in the submission, as a JSON pointer. */
  pointer: string;
  message: string;
};

/** The faults of a graph of steps, before any step has run. The deeper checks run only if the simpler ones pass. */
export function graphFaults(steps: readonly GraphStep[]): GraphFault[] {
  if (steps.length > MAX_STEPS) {
    const message = `a task may have ${MAX_STEPS} steps; this one has ${steps.length}`;
    return [{ fault: 'too_many_steps', pointer: '/steps', message }];
  }
  const plain = [...duplicateIds(steps), ...dependencyFaults(steps), ...retryFaults(steps)];
  if (plain.length > 0) return plain;
  const path = cyclePath(steps);
  if (path === undefined) return referenceFaults(steps);
  const index = steps.findIndex(({ id }) => id === path[0]);
  const message = `the steps wait for each other in a circle: ${path.join(' → ')}`;
  return [{ fault: 'cycle', pointer: `/steps/${index}/dependsOn`, message }];
}

/** The ids of the steps that must have ended before this one begins. The graph must have no cycle. */
export function ancestorsOf(id: string, steps: readonly Pick<GraphStep, 'id' | 'dependsOn'>[]): Set<string> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ancestors = new Set<string>();
  const open = [...(byId.get(id)?.dependsOn ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (ancestors.has(next)) continue;
    ancestors.add(next);
    open.push(...(byId.get(next)?.dependsOn ?? []));
  }
  return ancestors;
}

function duplicateIds(steps: readonly GraphStep[]): GraphFault[] {
  return steps.flatMap(({ id }, index): GraphFault[] => {
    const first = steps.findIndex((other) => other.id === id);
    const message = `the step id "${id}" is taken by step ${first + 1} of the list already`;
    return first === index ? [] : [{ fault: 'duplicate_id', pointer: `/steps/${index}/id`, message }];
  });
}

function dependencyFaults(steps: readonly GraphStep[]): GraphFault[] {
  const ids = new Set(steps.map(({ id }) => id));
  return steps.flatMap((step, index) =>
    (step.dependsOn ?? []).flatMap((dependency, place): GraphFault[] => {
      const pointer = `/steps/${index}/dependsOn/${place}`;
      // guard E-18
      if (dependency === step.id)
        return [{ fault: 'self_dependency', pointer, message: `the step "${step.id}" depends on itself` }];
      const message = `the step "${step.id}" depends on "${dependency}", and there is no such step`;
      return ids.has(dependency) ? [] : [{ fault: 'unknown_dependency', pointer, message }];
    }),
  );
}

function retryFaults(steps: readonly GraphStep[]): GraphFault[] {
  return steps.flatMap(({ id, retry, effectClass }, index): GraphFault[] => {
    if (effectClass !== 'once' || retry === undefined || retry.maxAttempts === 1) return [];
    const message = `the step "${id}" has an effect that may happen only once, so it is never retried; leave out retry`;
    return [{ fault: 'retry_of_once', pointer: `/steps/${index}/retry`, message }];
  });
}

/** The ids along one cycle, with the first repeated at the end; empty if there is no cycle. */
function cyclePath(steps: readonly GraphStep[]): string[] | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const cleared = new Set<string>();
  function walk(id: string, path: readonly string[]): string[] | undefined {
    const from = path.indexOf(id);
    if (from >= 0) return [...path.slice(from), id];
    if (cleared.has(id)) return undefined;
    for (const dependency of byId.get(id)?.dependsOn ?? []) {
      const found = walk(dependency, [...path, id]);
      if (found !== undefined) return found;
    }
    cleared.add(id);
    return undefined;
  }
  for (const { id } of steps) {
    const found = walk(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A place in parameters that takes its value from an earlier step. `from` is not a text where it is written wrongly. */
type FoundReference = { pointer: string; from: unknown };

type Reference = { stepId: string; path: readonly string[] };

/** Every `{ "$from": … }` inside a value, with its JSON pointer. */
export function referencesIn(value: unknown, pointer = ''): FoundReference[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, '$from')) {
    const isAlone = Object.keys(value).length === 1;
    return [{ pointer, from: isAlone ? Reflect.get(value, '$from') : undefined }];
  }
  return Object.entries(value).flatMap(([key, member]) => referencesIn(member, `${pointer}/${pointerToken(key)}`));
}

const LONGEST_REFERENCE = 500;

/** Reads `<step id>.<path>`, of 500 characters at most. Step ids may hold dots, so the longest id that fits is meant. */
export function parseReference(from: unknown, stepIds: readonly string[]): Reference | undefined {
  if (typeof from !== 'string' || from.length > LONGEST_REFERENCE) return undefined;
  const fitting = stepIds.filter((id) => from.startsWith(`${id}.`)).toSorted((one, other) => other.length - one.length);
  const [stepId] = fitting;
  if (stepId === undefined) return undefined;
  const path = from.slice(stepId.length + 1).split('.');
  return path.includes('') ? undefined : { stepId, path };
}

type Resolution = { ok: true; value: unknown } | { ok: false; missing: string };

/** The value that a reference leads to; nothing where it leads nowhere. */
type Find = (from: unknown) => { value: unknown } | undefined;

/** The value with every reference replaced by the value it leads to; or the first reference that leads nowhere. */
export function resolveReferences(value: unknown, find: Find): Resolution {
  const [missing] = referencesIn(value).filter(({ from }) => find(from) === undefined);
  if (missing !== undefined) return { ok: false, missing: String(missing.from) };
  return { ok: true, value: replaced(value, find) };
}

/** The value at a path of a result. Only own members count, so that nothing of JavaScript's own can be reached. */
export function valueAt(result: unknown, path: readonly string[]): { value: unknown } | undefined {
  let value = result;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value === undefined ? undefined : { value };
}

function replaced(value: unknown, find: Find): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, '$from')) return find(Reflect.get(value, '$from'))?.value;
  if (Array.isArray(value)) return value.map((member) => replaced(member, find));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, find)]));
}

function referenceFaults(steps: readonly GraphStep[]): GraphFault[] {
  const ids = steps.map(({ id }) => id);
  return steps.flatMap((step, index) => {
    const references = referencesIn(step.parameters);
    if (references.length === 0) return [];
    const ancestors = ancestorsOf(step.id, steps);
    return references.flatMap(({ pointer: inside, from }): GraphFault[] => {
      const pointer = `/steps/${index}/parameters${inside}`;
      const reference = parseReference(from, ids);
      if (reference === undefined) {
        const message = '$from is "<step id>.<path>" of a step of this task, alone in its object';
        return [{ fault: 'reference_malformed', pointer, message }];
      }
      if (ancestors.has(reference.stepId)) return [];
      const message = `$from names "${reference.stepId}", which "${step.id}" does not depend on, directly or through others`;
      return [{ fault: 'reference_not_ancestor', pointer, message }];
    });
  });
}

/**
 * The faults in parameters that refer to results of earlier steps, as far as they are known now: a reference may become any
 * value, and everything around it must fit the schema.
 */
export function openFaults(schema: TSchema, value: unknown, pointer = ''): SchemaFault[] {
  if (typeof value !== 'object' || value === null || referencesIn(value).length === 0)
    return Check(schema, value) ? [] : schemaFaults(schema, value).map((fault) => within(pointer, fault));
  if (Object.hasOwn(value, '$from')) return [];
  const properties: unknown = Reflect.get(schema, 'properties');
  const faults: SchemaFault[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (faults.length >= MOST_FAULTS) break;
    const place = `${pointer}/${pointerToken(name)}`;
    const known = schemaOf(properties, name);
    if (known === undefined) faults.push(unknownProperty(place, Object.keys(Object(properties))));
    else faults.push(...openFaults(known, member, place));
  }
  return faults.slice(0, MOST_FAULTS);
}

function schemaOf(properties: unknown, name: string): TSchema | undefined {
  const isKnown = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name);
  return isKnown ? Reflect.get(properties, name) : undefined;
}

function within(pointer: string, fault: SchemaFault): SchemaFault {
  return { ...fault, pointer: pointer + fault.pointer };
}
