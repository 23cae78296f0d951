import { probabilityOfAtLeast } from '../statistics/binomial.ts';
import type { Answer } from './facts.ts';

/** One denial a day does not show that a person denies more than one in ten. */
const DENYING = { share: 0.1, significance: 0.05 };

/**
 * Whether the denials among these answers show a person who decides: by a one-sided binomial test, more than one in ten is denied.
 * Prompts that were denied all at once count as one.
 */
export function clearlyDenies(answers: readonly Answer[]): boolean {
  const denials = new Set(answers.filter(({ isAllowed }) => !isAllowed).map(({ decidedAtMs }) => decidedAtMs)).size;
  const trials = answers.filter(({ isAllowed }) => isAllowed).length + denials;
  return probabilityOfAtLeast(denials, { trials, probability: DENYING.share }) < DENYING.significance;
}
