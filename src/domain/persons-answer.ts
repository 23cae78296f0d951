import type { KnownEvent } from './journal/journal-event.ts';

/** The answers that a person gives to a prompt. */
export const PERSONS_ANSWERS = ['allowed', 'denied'] as const;
export type PersonsAnswer = (typeof PERSONS_ANSWERS)[number];

/**
 * Whether the person gave this answer to a prompt. A stop, a pause of the requester, an expiry, a withdrawal and a plan that became
 * void end a prompt as well, but are no answers: such a prompt is stored as `expired`.
 */
export function isPersonsAnswer(end: string): end is PersonsAnswer {
  return end === 'allowed' || end === 'denied';
}

/** The status that a prompt is stored with when it has ended in a certain way. */
export function promptStatusOf(end: string): PersonsAnswer | 'expired' {
  return isPersonsAnswer(end) ? end : 'expired';
}

/** Whether an action failed because the person took the mouse or the keyboard: an act of the person, and no failure. */
export function isPersonsInterruption(errorCode: string | null | undefined): boolean {
  return errorCode === 'interrupted_by_person';
}

/** Whether a denied action was denied by the person. Without a prompt the rules denied it, because it repeats a recent denial. */
export function isPersonsDenial({ metadata }: Pick<KnownEvent<'action.denied'>, 'metadata'>): boolean {
  return metadata?.confirmationId !== undefined;
}

/** The latest answers of the person to one user, newest first. */
type Answers = readonly PersonsAnswer[];

export const IN_A_ROW = 3;
export const OF_LAST = 50;
export const DENIED_OF_LAST = 10;

/** Why a requester is to be paused until the person resumes it; nothing when it is not. */
export function breakerReason(answers: Answers): string | undefined {
  if (answers.length >= IN_A_ROW && answers.slice(0, IN_A_ROW).every((answer) => answer === 'denied')) {
    return `${IN_A_ROW} denials in a row`;
  }
  const denied = answers.slice(0, OF_LAST).filter((answer) => answer === 'denied').length;
  return denied >= DENIED_OF_LAST
    ? `${denied} denials among the last ${Math.min(OF_LAST, answers.length)} answers`
    : undefined;
}
