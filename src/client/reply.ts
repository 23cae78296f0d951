import type { Problem, ProblemCode } from '../contract/problem.ts';

/** Why a call did not work: a problem of the daemon's, or `unreachable` when no answer came at all. */
export type Failure = {
  code: ProblemCode | 'unreachable';
  /** The daemon's detail: the expected value, the received value, and advice. */
  detail: string;
  retryAfterSeconds?: number;
  /** Why a session is over, where the daemon knows; then `detail` is written for the person. */
  reason?: string;
  /** The faults of the body, each with its part. */
  errors?: { pointer: string; message: string }[];
  /** The action that the rules blocked. */
  actionId?: string;
};

export type Reply<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Reads a response; an empty one (204) has the value `undefined`. */
export async function replyOf<Value>(response: Response): Promise<Reply<Value>> {
  if (!response.ok) return { ok: false, failure: await failureOf(response) };
  const text = await response.text();
  return { ok: true, value: text === '' ? undefined : JSON.parse(text) };
}

type Told = Pick<Problem, 'detail' | 'errors'> & { code: ProblemCode; reason?: string; actionId?: string };

export const UNREACHABLE: Failure = { code: 'unreachable', detail: 'Handrail does not answer.' };

export async function failureOf(response: Response): Promise<Failure> {
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const rest = Number.isNaN(retryAfterSeconds) ? {} : { retryAfterSeconds };
  const isProblem = response.headers.get('content-type')?.includes('json') === true;
  if (!isProblem) return { code: 'internal_error', detail: `Handrail answered ${response.status}.`, ...rest };
  const { code, detail, reason, errors, actionId }: Told = JSON.parse(await response.text());
  return {
    code,
    detail,
    reason,
    errors,
    actionId,
    ...rest,
  };
}
