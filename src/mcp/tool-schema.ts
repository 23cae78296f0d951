/** The parts of a schema that a model needs. Each member costs tokens in every conversation, and the daemon checks the rest by itself. */
const KEPT = ['type', 'enum', 'const', 'minimum', 'maximum', 'description'] as const;
/** The largest number that a limit says: larger ones bound no sensible call. */
const LARGEST_TOLD = 10_000;

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type ToolSchema = { type: 'object'; properties?: { [name: string]: Json }; required?: string[] };

/** The parameters of an action type, but for those `untold`, as a short JSON Schema. */
export function toolSchema(parameters: unknown, untold: readonly string[]): ToolSchema {
  return { ...shortened(parameters, untold), type: 'object' };
}

function shortened(
  schema: unknown,
  untold: readonly string[] = [],
): Omit<ToolSchema, 'type'> & { [name: string]: Json } {
  const { properties, required, items, ...rest } = Object(schema);
  const kept = KEPT.flatMap((name): [string, Json][] => (isTold(rest[name]) ? [[name, rest[name]]] : []));
  const told = Object.entries(Object(properties)).filter(([name]) => !untold.includes(name));
  const members = told.map(([name, each]): [string, Json] => [name, shortened(each)]);
  return {
    ...Object.fromEntries(kept),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(isNames(required) && required.length > 0 && { required: [...required] }),
    ...(items !== undefined && { items: shortened(items) }),
  };
}

function isTold(value: unknown): value is Json {
  if (typeof value === 'number') return Math.abs(value) <= LARGEST_TOLD;
  return typeof value === 'string' || typeof value === 'boolean' || isNames(value);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
