import type { ActionError, FailureCode } from '../contract/action.ts';

/** Codes after which the very same submission may well succeed: what stood in its way passes, or a person takes it away. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set(['timeout', 'busy', 'agent_unavailable', 'display_unavailable']);

/** What to do about a failure where whoever reports it does not say. */
const USUAL_FIXES: { readonly [Code in FailureCode]?: string } = {
  timeout: 'Give it more time: submit it with a larger timeoutMs, of at most 600000.',
};

/** The `error` of a failed action. */
export function actionError(code: FailureCode, message: string, fix = USUAL_FIXES[code]): ActionError {
  return { code, message, ...(fix === undefined ? {} : { fix }), retryable: RETRYABLE.has(code) };
}
