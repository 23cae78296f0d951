import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Errors } from 'typebox/value';
import { faultWords } from './fault-words.ts';
import { pointerToken } from './pointer-token.ts';
import { withoutUnknown } from './unknown-properties.ts';

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

function faultsOf(error: TLocalizedValidationError): SchemaFault[] {
  if (error.keyword !== 'required') return [{ pointer: error.instancePath, message: faultWords(error) }];
  return error.params.requiredProperties.map((name) => ({
    pointer: `${error.instancePath}/${pointerToken(name)}`,
    message: 'is required',
  }));
}
