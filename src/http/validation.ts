import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { RefusedError, refuse } from './refuse.ts';

const MAX_REPORTED = 20;

/**
 * Bodies and path parameters are checked as they are: unknown properties refused, nothing coerced, nothing filled in.
 * Query schemas only document: `query.ts` reads queries, forgivingly.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'querystring') return () => true;
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return true;
    return { error: new RefusedError(validationRefusal(validator.Errors(value), httpPart ?? 'body')) };
  };
};

export type Complaint = { pointer: string; message: string };

export function validationFailed(part: string, errors: Complaint[]) {
  const listed = errors.map(({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`).join('; ');
  return refuse('validation_failed', `The ${part} is not as documented: ${listed}.`, { errors });
}

function validationRefusal(found: readonly TLocalizedValidationError[], part: string) {
  return validationFailed(part, found.flatMap(complaints).slice(0, MAX_REPORTED));
}

/** In our words, one for each property: what came is not repeated, since it may be private. */
function complaints(error: TLocalizedValidationError): Complaint[] {
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
