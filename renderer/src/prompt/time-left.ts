/**
 * The time until a prompt expires, in milliseconds. The page reads its clock in steps, so up to one step more has passed
 * than `steppedNowMs` says. The result leaves that step out, so that the page never promises more time than there is.
 */
export function leftMs(at: { expiresAt: string; steppedNowMs: number; stepMs: number }): number {
  return Date.parse(at.expiresAt) - at.steppedNowMs - at.stepMs;
}

const SOON_MS = 15_000;

/** Whether so little time is left, in milliseconds, that the page says what happens at its end. */
export function isSoon(left: number): boolean {
  return left <= SOON_MS;
}
