import type { ActionError, RiskLevel } from '../../contract/action.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { RESOLVE_WINDOW } from '../../contract/link.ts';
import { ResolvedWindow } from '../../contract/screen.ts';
import { actionError } from '../../domain/action-error.ts';
import type { AgentQuestions } from './questions.ts';

/** The window that an id leads to now, or why there is none. */
export type WindowAnswer = { ok: true; window: ResolvedWindow } | { ok: false; error: ActionError };

const isResolvedWindow = lazyCheck(ResolvedWindow);

/** Windows that are asked about at one time: the agent takes few questions at once, and others have theirs. */
const AT_ONCE = 16;

/** Asks the agent which windows have these ids. Each is asked about once. */
export async function resolveWindows(
  ask: AgentQuestions['ask'],
  windowIds: Iterable<string>,
  riskLevel: RiskLevel,
): Promise<Map<string, WindowAnswer>> {
  const ids = [...new Set(windowIds)];
  const answers = new Map<string, WindowAnswer>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((id) => resolveWindow(ask, id, riskLevel)));
    for (const [index, id] of some.entries()) if (found[index] !== undefined) answers.set(id, found[index]);
  }
  return answers;
}

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
  if (isResolvedWindow(outcome.data)) return { ok: true, window: outcome.data };
  const message = 'The device agent described the window in a way that is not understood; nothing was done.';
  return { ok: false, error: actionError('internal_error', message) };
}
