import type { ActionError, FailureCode } from '../contract/action.ts';

/** Codes after which the very same submission may well succeed. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set([
  'timeout',
  'busy',
  'agent_unavailable',
  'display_unavailable',
  'target_gone',
]);

/** The `error` of a failed action. */
export function actionError(code: FailureCode, message: string, fix?: string | undefined): ActionError {
  return { code, message, ...(fix === undefined ? {} : { fix }), retryable: RETRYABLE.has(code) };
}
