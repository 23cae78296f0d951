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
  return Object.entries(value).flatMap(([key, member]) => referencesIn(member, `${pointer}/${escaped(key)}`));
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

/**
 * The value with every reference replaced by what `resultOf` its step has at the path; or the first reference that leads
 * nowhere. Only own members count, so that nothing of JavaScript's own can be reached.
 */
export function resolveReferences(
  value: unknown,
  by: { stepIds: readonly string[]; resultOf(stepId: string): unknown },
): Resolution {
  const [missing] = referencesIn(value).filter(({ from }) => found(from, by) === undefined);
  if (missing !== undefined) return { ok: false, missing: String(missing.from) };
  return { ok: true, value: replaced(value, by) };
}

type Sources = Parameters<typeof resolveReferences>[1];

function replaced(value: unknown, by: Sources): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, '$from')) return found(Reflect.get(value, '$from'), by)?.value;
  if (Array.isArray(value)) return value.map((member) => replaced(member, by));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, by)]));
}

function found(from: unknown, { stepIds, resultOf }: Sources): { value: unknown } | undefined {
  const reference = parseReference(from, stepIds);
  if (reference === undefined) return undefined;
  let value = resultOf(reference.stepId);
  for (const key of reference.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value === undefined ? undefined : { value };
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
