import type { OutcomePoint, OutcomeSeries } from '../../../src/contract/console-series.ts';

export const OUTCOMES = ['succeeded', 'failed', 'denied', 'notDone'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_WORDS: Record<Outcome, string> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  denied: 'Denied or blocked',
  notDone: 'Expired or cancelled',
};

export function totalOf(points: readonly OutcomePoint[], name: Outcome | 'prompts' | 'pauses'): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}

/** How many of something, in words: `1 prompt`, `3 prompts`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

function spanWords(lengthMs: number): string {
  const hours = Math.round(lengthMs / 3_600_000);
  return hours <= 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

/** The chart of outcomes in sentences. */
export function outcomeSummary({ points, window }: OutcomeSeries): string {
  const ended = OUTCOMES.map((name) => [name, totalOf(points, name)] as const).filter(([, count]) => count > 0);
  const [prompts, pauses] = [totalOf(points, 'prompts'), totalOf(points, 'pauses')];
  if (ended.length === 0 && prompts === 0)
    return `No actions ended and no prompts came in the last ${spanWords(window.length)}.`;
  const parts = ended.map(([name, count]) => `${count} ${OUTCOME_WORDS[name].toLowerCase()}`);
  const actions = parts.length === 0 ? 'No actions ended' : `Actions that ended: ${parts.join(', ')}`;
  const paused = pauses === 0 ? '' : ` You paused everything ${pauses === 1 ? 'once' : `${pauses} times`}.`;
  return `${actions}. ${counted(prompts, 'prompt')} came.${paused}`;
}
