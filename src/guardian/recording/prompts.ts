import { addValue } from './log-histogram.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Rollup } from './rollup.ts';

/** Our own: an answer sooner than this after the prompt could be answered was hardly a thought. */
const HASTY_MS = 2_000;

/** What is remembered of a prompt, be it for an action or for the plan of a task. */
export type AskedFor = { isElevated: boolean; isDecided: boolean; answerableAtMs?: number };

export function countShown(asked: AskedFor, { atMs, metadata }: RecordedEvent, { counters }: Rollup): void {
  asked.answerableAtMs = atMs + Number(metadata?.delayMs ?? 0);
  counters.promptShown += 1;
}

export function countAllowed(asked: AskedFor, { atMs }: RecordedEvent, rollup: Rollup): void {
  const { counters } = rollup;
  asked.isDecided = true;
  counters.promptAllowed += 1;
  if (asked.isElevated) counters.promptAllowedElevated += 1;
  if (asked.answerableAtMs === undefined) return;
  addValue(rollup.responseMs, Math.max(0, atMs - asked.answerableAtMs));
  if (asked.isElevated && atMs - asked.answerableAtMs < HASTY_MS) counters.promptAllowedHastily += 1;
}

export function countDenied(asked: AskedFor, { atMs }: RecordedEvent, rollup: Rollup): void {
  rollup.counters.promptDenied += 1;
  if (asked.answerableAtMs !== undefined) addValue(rollup.responseMs, Math.max(0, atMs - asked.answerableAtMs));
}
