import { Compile } from 'typebox/compile';
import type { ActionError, RiskLevel } from '../contract/action.ts';
import { RESOLVE_WINDOW } from '../contract/link.ts';
import { ResolvedWindow } from '../contract/screen.ts';
import { actionError } from './action-error.ts';
import type { AgentQuestions } from './agent-questions.ts';

/** The window that an id leads to now, or why there is none. */
export type WindowAnswer = { ok: true; window: ResolvedWindow } | { ok: false; error: ActionError };

const shape = Compile(ResolvedWindow);

/** Asks the agent which window has an id. */
export async function resolveWindow(
  ask: AgentQuestions['ask'],
  windowId: string,
  riskLevel: RiskLevel,
): Promise<WindowAnswer> {
  const outcome = await ask({ type: RESOLVE_WINDOW, parameters: { windowId }, riskLevel });
  if (outcome === undefined) {
    const message = 'The device agent did not say in time which window this is; nothing was done.';
    return { ok: false, error: actionError('agent_unavailable', message, 'Try again in a few seconds.') };
  }
  if (!outcome.ok) return { ok: false, error: actionError(outcome.code, outcome.message, outcome.fix) };
  if (shape.Check(outcome.data)) return { ok: true, window: outcome.data };
  const message = 'The device agent described the window in a way that is not understood; nothing was done.';
  return { ok: false, error: actionError('internal_error', message) };
}
