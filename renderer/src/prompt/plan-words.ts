import type { Plan, PlanConsent, PlanStep } from '../../../src/contract/console.ts';

/** What a yes to the plan means for a step that it does not ask for. */
export const CONSENT_WORDS: Record<Exclude<PlanConsent, 'asked'>, string> = {
  none: 'needs no yes',
  later: 'will ask by itself, once it is known what exactly it is to do',
  blocked: 'will be blocked by your rules',
  denied: 'will be denied, as you said a moment ago',
};

/** When a step runs, and how often it may be tried, as far as there is something to say. */
export function orderWords({ dependsOn, maxAttempts }: PlanStep): string {
  const after = dependsOn.length === 0 ? [] : [`after ${dependsOn.join(', ')}`];
  const tries = maxAttempts === 1 ? [] : [`up to ${maxAttempts} tries`];
  return [...after, ...tries].join(' · ');
}

/** The steps that the one answer is for. */
export function askedSteps({ steps }: Plan): PlanStep[] {
  return steps.filter(({ consent }) => consent === 'asked');
}
