import { PROBLEM_MEDIA_TYPE, PROBLEMS, type Problem } from '../contract/problem.ts';
import type { Refusal } from '../services/refusal.ts';
import { isHttpRefusal } from './refuse.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export type ProblemResponse = { status: number; headers: Record<string, string>; body: Problem };

/** The one place where a refusal becomes an HTTP response. */
export function problemResponse(refusal: Refusal, requestId: string): ProblemResponse {
  const [status, title] = PROBLEMS[refusal.refused];
  return {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'content-type': PROBLEM_MEDIA_TYPE,
      'x-request-id': requestId,
      ...(refusal.retryAfterSeconds !== undefined && { 'retry-after': String(refusal.retryAfterSeconds) }),
      ...(isHttpRefusal(refusal) && refusal.headers),
    },
    body: {
      ...refusal.facts,
      type: `urn:handrail:problem:${refusal.refused}`,
      title,
      status,
      detail: refusal.see === undefined ? refusal.detail : `${refusal.detail} ${SEE[refusal.see]}`,
      instance: `urn:uuid:${requestId}`,
      code: refusal.refused,
      ...(refusal.errors && { errors: refusal.errors }),
    },
  };
}

const SEE: Record<NonNullable<Refusal['see']>, string> = {
  actionTypes: 'GET /api/tee/action-types describes each type and its parameters.',
  actions: 'GET /api/tee/actions lists them.',
  tasks: 'GET /api/tee/tasks lists them.',
  devices: 'Register one with POST /api/tee/devices/register, or list them with GET /api/tee/devices.',
};
