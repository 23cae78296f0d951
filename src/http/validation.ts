import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { lazyCheck } from '../contract/lazy-check.ts';
import { type SchemaFault, schemaFaults } from '../contract/schema-faults.ts';
import { RefusedError, refuse } from './refuse.ts';

/**
 * Bodies and path parameters are checked as they are: unknown properties refused, nothing coerced, nothing filled in.
 * Schemas of queries and headers only document: those are read where they are used, queries forgivingly.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'querystring' || httpPart === 'headers') return () => true;
  const isValid = lazyCheck(schema);
  return (value) => {
    if (isValid(value)) return true;
    return { error: new RefusedError(validationFailed(httpPart ?? 'body', schemaFaults(schema, value))) };
  };
};

export function validationFailed(part: string, errors: SchemaFault[]) {
  return refuse('validation_failed', detailOf(part, errors), { errors });
}

const PARAMETERS: Record<string, string> = { params: 'path parameter', query: 'query parameter' };

/** Parameters are known by their names, places in a body by their pointers. */
function detailOf(part: string, errors: readonly SchemaFault[]): string {
  const parameter = PARAMETERS[part];
  if (parameter !== undefined)
    return errors.map(({ pointer, message }) => `The ${parameter} "${pointer.slice(1)}" ${message}.`).join(' ');
  const listed = errors.map(({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`).join('; ');
  return `The ${part} is not as documented: ${listed}.`;
}
