import type { TSchema } from 'typebox';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, Problem, type ProblemCode } from '../contract/problem.ts';

/** What any call may be refused with before its route is reached, or when the daemon itself fails. */
const ALWAYS: readonly ProblemCode[] = [
  'bad_request',
  'bad_url',
  'host_not_allowed',
  'origin_not_allowed',
  'cross_site_request',
  'rate_limited',
  'internal_error',
];

/**
 * The `response` part of a route's schema: what it answers with, and every problem it may answer with instead.
 * It documents and does not type the handler, since a handler may return a refusal in place of its record.
 */
export function answers(successes: Record<number, TSchema>, problems: readonly ProblemCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy([...ALWAYS, ...problems], (code) => PROBLEMS[code][0]);
  const refusals = [...byStatus].map(([status, codes]) => [status, problemAnswer(codes)]);
  return { ...Object.fromEntries(refusals), ...successes };
}

function problemAnswer(codes: readonly ProblemCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } },
  };
}
