import type { TLocalizedValidationError } from 'typebox/error';

/** What is wrong with one value: where (JSON Pointer), and what was expected. */
export type SchemaFault = { pointer: string; message: string };

/** In our words, one for each property: what came is not repeated, since it may be private. */
export function schemaFaults(error: TLocalizedValidationError): SchemaFault[] {
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${error.instancePath}/${pointerToken(name)}`,
        message: 'is required',
      }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        pointer: `${error.instancePath}/${pointerToken(String(name))}`,
        message: 'is not a known property',
      }));
    // Says again, for each property, what `additionalProperties` says.
    case 'boolean':
      return [];
    case 'enum':
      return [{ pointer: error.instancePath, message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    default:
      return [{ pointer: error.instancePath, message: error.message }];
  }
}

/** RFC 6901 escapes; a name nobody would read whole is cut. */
function pointerToken(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
