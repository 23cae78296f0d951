import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Errors } from 'typebox/value';
import { PROFILE_NAME } from './action.ts';
import { DEVICE_TYPE } from './device.ts';
import { STEP_ID } from './task.ts';

const PATTERNS: ReadonlyMap<string, string> = new Map([
  [DEVICE_TYPE, 'must be a lower-case word of at most 32 letters, digits and hyphens, such as macos'],
  [STEP_ID, 'must begin with a letter or digit and have at most 64 letters, digits and . _ : -'],
  [PROFILE_NAME, 'must be a lower-case word of at most 40 letters, digits and hyphens'],
]);

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};

/** A fault in one value: its place (JSON Pointer), and the expected value. */
export type SchemaFault = { pointer: string; message: string };

/** More faults than these are neither worked out nor told. */
export const MOST_FAULTS = 20;

/**
 * The first faults of a value that does not fit a schema, in our words. They do not repeat what came, since it may be private.
 * Properties that the schema does not know are taken out first: TypeBox would describe every single one before it gives up.
 */
export function schemaFaults(schema: TSchema, value: unknown): SchemaFault[] {
  const { known, unknown } = withoutUnknown(schema, value, MOST_FAULTS);
  const others = Errors(schema, known).flatMap((error) => faultsOf(error));
  const strangers = unknown.map(({ pointer, siblings }) => unknownProperty(pointer, siblings));
  return [...others, ...strangers].slice(0, MOST_FAULTS);
}

/** A property that no schema of this place has, by the names that it has. */
export function unknownProperty(pointer: string, known: readonly string[]): SchemaFault {
  return {
    pointer,
    message: known.length === 0 ? 'is not known here' : `is not known here: known are ${known.join(', ')}`,
  };
}

/** One name of a JSON Pointer with the escapes of RFC 6901. A name too long to be read is cut. */
export function pointerToken(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultsOf(error: TLocalizedValidationError): SchemaFault[] {
  if (error.keyword !== 'required') return [{ pointer: error.instancePath, message: faultWords(error) }];
  return error.params.requiredProperties.map((name) => ({
    pointer: `${error.instancePath}/${pointerToken(name)}`,
    message: 'is required',
  }));
}

/** The expectation that a value failed, to be put after its name: `must be a string`. */
function faultWords(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'type':
      return `must be ${[error.params.type].flat().map(named).join(' or ')}`;
    case 'pattern':
      return PATTERNS.get(String(error.params.pattern)) ?? error.message;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minItems':
      return `must have at least ${counted(error.params.limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(error.params.limit, 'item')}`;
    case 'minLength':
      return `must have at least ${counted(error.params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(error.params.limit, 'character')}`;
    default:
      return error.message;
  }
}

function named(type: string): string {
  return TYPES[type] ?? type;
}

function counted(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${count} ${what}s`;
}

/** A property that its place does not know, and the names that the place knows. */
type UnknownProperty = { pointer: string; siblings: string[] };

/** A value without the properties that a closed schema does not know, and the first `most` of those properties. */
export function withoutUnknown(
  schema: TSchema,
  value: unknown,
  most: number,
): { known: unknown; unknown: UnknownProperty[] } {
  const unknown: UnknownProperty[] = [];

  function kept(part: unknown, of: unknown, pointer: string): unknown {
    if (Array.isArray(part)) return part.map((item, index) => kept(item, member(of, 'items'), `${pointer}/${index}`));
    const properties = member(of, 'properties');
    if (typeof part !== 'object' || part === null || typeof properties !== 'object' || properties === null) return part;
    const isClosed = member(of, 'additionalProperties') === false;
    const siblings = Object.keys(properties);
    const members: [string, unknown][] = [];
    for (const [name, content] of Object.entries(part)) {
      const isKnown = Object.hasOwn(properties, name);
      if (isKnown || !isClosed)
        members.push([name, kept(content, member(properties, name), `${pointer}/${pointerToken(name)}`)]);
      else if (unknown.length < most) unknown.push({ pointer: `${pointer}/${pointerToken(name)}`, siblings });
    }
    return Object.fromEntries(members);
  }

  return { known: kept(value, schema, ''), unknown };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
