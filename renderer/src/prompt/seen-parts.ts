import type { Plan, PlanStep, Prompt } from '../../../src/contract/console.ts';
import { areLong } from './Arguments.tsx';
import { askedSteps } from './plan-words.ts';

/**
 * The parts that a person must have seen before Allow reacts: the text of a script or file to its end, each step that the plan asks
 * for, and arguments that may hold more than the rest of the prompt says.
 */
export function partsOf(prompt: Prompt, plan: Plan | undefined): string[] {
  if (plan !== undefined) return askedSteps(plan).map(({ id }) => `step ${id}`);
  return [...(hasText(prompt) ? ['text'] : []), ...(mustShowArguments(prompt) ? ['arguments'] : [])];
}

/** Whether the details of a prompt hold a part that must be seen. */
export function mustShowArguments(prompt: Prompt): boolean {
  return !hasText(prompt) && areLong(prompt.arguments);
}

/** Whether a step must be unfolded before Allow reacts: its line does not say everything. */
export function mustOpen(step: PlanStep): boolean {
  return step.consent === 'asked' && (hasText(step) || areLong(step.arguments));
}

/** Whether a request has a text that the person must have seen to its end. */
export function hasText({ script, contents }: Pick<Prompt, 'script' | 'contents'>): boolean {
  return script !== undefined || contents !== undefined;
}
