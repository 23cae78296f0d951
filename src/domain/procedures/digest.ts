import { hash } from 'node:crypto';
import type { ProcedureSubmission } from '../../contract/procedure.ts';
import { canonicalJson } from '../canonical-json.ts';

/**
 * SHA-256 over the canonical form (RFC 8785) of everything about a procedure that has an effect: steps, bounds, expectations, and what it
 * may do. Its name and description are outside of it.
 */
export function procedureDigest({ parameters, steps, may }: ProcedureSubmission): string {
  return `sha256:${hash('sha256', canonicalJson({ parameters, steps, may }))}`;
}
