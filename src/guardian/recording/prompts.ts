import type { KnownEvent } from '../../domain/journal/journal-event.ts';
import { addValue } from './log-histogram.ts';
import type { Rollup } from './rollup.ts';

/** Our own: an answer sooner than this after the prompt could be answered was hardly a thought. */
export const HASTY_MS = 2_000;

/** A prompt for an action or for the plan of a task. `isWaiting`: it has no answer yet. `isDecided`: the action or plan may run. */
export type AskedFor = {
  isElevated: boolean;
  isDecided: boolean;
  isWaiting: boolean;
  answerableAtMs?: number;
  onScreenMs?: number;
};

export function countShown(
  asked: AskedFor,
  { atMs, metadata }: KnownEvent<'confirmation.shown'>,
  { counters }: Rollup,
): void {
  asked.answerableAtMs = atMs + (metadata?.delayMs ?? 0);
  asked.onScreenMs = metadata?.onScreenMs ?? asked.onScreenMs ?? 0;
  counters.promptShown += 1;
}

export function countAllowed(asked: AskedFor, { atMs }: { atMs: number }, rollup: Rollup): void {
  const { counters } = rollup;
  asked.isDecided = true;
  asked.isWaiting = false;
  counters.promptAllowed += 1;
  if (asked.isElevated) counters.promptAllowedElevated += 1;
  if (asked.answerableAtMs === undefined) return;
  addValue(rollup.responseMs, Math.max(0, atMs - asked.answerableAtMs));
  const readMs = atMs - asked.answerableAtMs + (asked.onScreenMs ?? 0);
  if (asked.isElevated && readMs < HASTY_MS) counters.promptAllowedHastily += 1;
}

/** A denial that could be undone is recorded `heldMs` after the person made it. */
export function countDenied(
  asked: AskedFor,
  { atMs, metadata }: KnownEvent<'action.denied' | 'task.plan_denied'>,
  rollup: Rollup,
): void {
  rollup.counters.promptDenied += 1;
  const answeredAtMs = atMs - (metadata?.heldMs ?? 0);
  if (asked.answerableAtMs !== undefined) addValue(rollup.responseMs, Math.max(0, answeredAtMs - asked.answerableAtMs));
}
