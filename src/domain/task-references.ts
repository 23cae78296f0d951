import { pointerToken } from '../contract/schema-faults.ts';

/** A place in parameters that takes its value from an earlier step. `from` is not a text where it is written wrongly. */
export type FoundReference = { pointer: string; from: unknown };

export type Reference = { stepId: string; path: readonly string[] };

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

export type Resolution = { ok: true; value: unknown } | { ok: false; missing: string };

/** The value that a reference leads to; nothing where it leads nowhere. */
export type Find = (from: unknown) => { value: unknown } | undefined;

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
