import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { faultWords } from './fault-words.ts';

/** What is wrong with one value: where (JSON Pointer), and what was expected. */
export type SchemaFault = { pointer: string; message: string };

/** In our words, one for each property: what came is not repeated, since it may be private. */
export function schemaFaults(schema: TSchema, errors: readonly TLocalizedValidationError[]): SchemaFault[] {
  return errors.flatMap((error) => faultsOf(schema, error));
}

/** A property that no schema of this place has, by the names that it has. */
export function unknownProperty(pointer: string, known: readonly string[]): SchemaFault {
  return {
    pointer,
    message: known.length === 0 ? 'is not known here' : `is not known here: known are ${known.join(', ')}`,
  };
}

/** RFC 6901 escapes; a name nobody would read whole is cut. */
export function pointerToken(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultsOf(schema: TSchema, error: TLocalizedValidationError): SchemaFault[] {
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${error.instancePath}/${pointerToken(name)}`,
        message: 'is required',
      }));
    case 'additionalProperties': {
      const known = knownAt(schema, error.schemaPath);
      return error.params.additionalProperties.map((name) =>
        unknownProperty(`${error.instancePath}/${pointerToken(String(name))}`, known),
      );
    }
    // Says again, for each property, what `additionalProperties` says.
    case 'boolean':
      return [];
    default:
      return [{ pointer: error.instancePath, message: faultWords(error) }];
  }
}

/** The names of the properties of the object at a path such as `#/properties/capabilities`. */
function knownAt(schema: TSchema, schemaPath: string): string[] {
  const [, ...steps] = schemaPath.split('/');
  const place = steps.reduce<unknown>(member, schema);
  return Object.keys(Object(member(place, 'properties')));
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
