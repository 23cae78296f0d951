import type { Context } from '../context.ts';

/** The part of an action's record that later steps may refer to. */
export type StepResults = (actionId: string | undefined) => unknown;

/** A result may have megabytes, and every step of a task may refer to the same ones. */
const MOST_KEPT = 4;

/**
 * Reads the results of actions that have ended. The few that were read last are kept until the event loop turns: steps that begin
 * together read and parse each result once, and nothing outlives the retention of the store.
 */
export function createStepResults({ store }: Pick<Context, 'store'>): StepResults {
  const kept = new Map<string, unknown>();

  function keep(actionId: string, result: unknown): void {
    if (kept.size === 0) setImmediate(() => kept.clear());
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(actionId, result);
  }

  return (actionId) => {
    if (actionId === undefined) return undefined;
    if (kept.has(actionId)) return kept.get(actionId);
    const action = store.actions.findById(actionId);
    const result = action && {
      status: action.status,
      details: action.details,
      effect: action.effect,
      data: action.data,
    };
    keep(actionId, result);
    return result;
  };
}
