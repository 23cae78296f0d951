import { startOfDay } from '../metrics/local-time.ts';
import type { Answer } from './facts.ts';

/** A habit is judged by the answers of so many days with answers, or by so many answers where these days have fewer. */
const DAYS = 3;
export const USUAL_ANSWERS = 40;

/** The answers by which a habit is judged. They come newest first, and stay so. */
export function latestAnswers(answers: readonly Answer[]): Answer[] {
  return answers.slice(0, Math.max(USUAL_ANSWERS, answersOfDays(answers).length));
}

/** Only the answers of the last days with answers. They come newest first, and stay so. */
export function answersOfDays(answers: readonly Answer[], most = DAYS): Answer[] {
  const days = new Set<number>();
  const end = answers.findIndex((answer) => days.add(startOfDay(answer.decidedAtMs)).size > most);
  return end === -1 ? [...answers] : answers.slice(0, end);
}
