import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { hasText, mustShowArguments } from '../../../src/contract/first-layer.ts';
import { askedSteps } from './plan-words.ts';

/**
 * The parts that a person must have seen before Allow reacts: the text of a script or file from its beginning to its end, each step that the plan asks
 * for, and arguments that may hold more than the rest of the prompt says.
 */
export function partsOf(prompt: Prompt, plan: Plan | undefined): string[] {
  if (plan !== undefined) return askedSteps(plan).map(({ id }) => `step ${id}`);
  return [...(hasText(prompt) ? ['text start', 'text'] : []), ...(mustShowArguments(prompt) ? ['arguments'] : [])];
}
