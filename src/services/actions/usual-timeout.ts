import type { ActionSubmission } from '../../contract/action.ts';
import { MAX_WAIT_MS } from '../../contract/parameters.ts';

export const USUAL_MS = 30_000;
/** The time that a Wait may take beyond its duration, for the way to the agent and back. */
export const BEYOND_WAIT_MS = 5_000;

/** How long an action may take when its caller does not say, in milliseconds: long enough for a Wait to be waited out. */
export function usualTimeoutMs({
  actionType,
  parameters,
}: Pick<ActionSubmission, 'actionType' | 'parameters'>): number {
  if (actionType !== 'Wait') return USUAL_MS;
  const { durationMs } = parameters;
  // In a step it may come from an earlier one, and is not known yet.
  const longestMs = typeof durationMs === 'number' ? durationMs : MAX_WAIT_MS;
  return Math.max(USUAL_MS, longestMs + BEYOND_WAIT_MS);
}
