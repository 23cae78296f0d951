import type { PersonsAnswer } from './persons-answer.ts';

/** The latest answers of the person to one user, newest first. */
export type Answers = readonly PersonsAnswer[];

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
