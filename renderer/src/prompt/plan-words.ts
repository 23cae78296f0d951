import type { Plan, PlanConsent, PlanStep } from '../../../src/contract/console.ts';
import { titleOf } from '../../../src/contract/first-layer.ts';

/** The words for a step that this approval does not cover. */
export const CONSENT_WORDS: Record<Exclude<PlanConsent, 'asked'>, string> = {
  none: 'asks nothing',
  later: 'asks separately once its input is known',
  blocked: 'will be blocked by your rules',
  denied: 'will be denied: you denied the same a moment ago',
};

/** When a step runs, and how often it may be tried, as far as there is something to say. */
export function orderWords({ dependsOn, maxAttempts }: PlanStep): string {
  const after = dependsOn.length === 0 ? [] : [`after ${dependsOn.join(', ')}`];
  const tries = maxAttempts === 1 ? [] : [`up to ${maxAttempts} tries`];
  return [...after, ...tries].join(' · ');
}

/** A step with its place in the plan, from 1 on. */
export type NumberedStep = { step: PlanStep; number: number };

/** The steps with their numbers in the plan. */
export function numberedSteps({ steps }: Plan): NumberedStep[] {
  return steps.map((step, index) => ({ step, number: index + 1 }));
}

/** Words that a person takes in at a glance beside the title and the dangers. */
const FEW_WORDS = 30;

/** Whether the lines of all steps can stand on the first screen together. */
export function isShortPlan({ steps }: Plan): boolean {
  const words = steps.flatMap((step) => [titleOf(step), step.consent === 'asked' ? '' : CONSENT_WORDS[step.consent]]);
  return words.join(' ').split(/\s+/u).length <= FEW_WORDS;
}

/** Such as `3 of 5 steps ask`. */
export function planCountWords(plan: Plan): string {
  const asked = askedSteps(plan).length;
  return `${asked} of ${plan.steps.length} steps ${asked === 1 ? 'asks' : 'ask'}`;
}

/** The steps that the one answer is for. */
export function askedSteps({ steps }: Plan): PlanStep[] {
  return steps.filter(({ consent }) => consent === 'asked');
}
