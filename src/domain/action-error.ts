import type { ActionError, FailureCode } from '../contract/action.ts';

/** Codes after which the same submission may succeed later: the obstacle passes, or a person removes it. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set(['timeout', 'busy', 'agent_unavailable', 'display_unavailable']);

/** The advice for a failure that was reported without one. */
const USUAL_FIXES: { readonly [Code in FailureCode]?: string } = {
  timeout: 'Give it more time: submit it with a larger timeoutMs, of at most 600000.',
};

/** The `error` of a failed action. */
export function actionError(code: FailureCode, message: string, fix = USUAL_FIXES[code]): ActionError {
  return { code, message, fix, retryable: RETRYABLE.has(code) };
}
