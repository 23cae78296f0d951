const CHOICES_MS = [30_000, 60_000, 90_000, 120_000, 300_000, 600_000];

/** The times, in milliseconds, that the person can choose from: the usual ones and the present one. */
export function expiryChoices(presentMs: number): number[] {
  return CHOICES_MS.includes(presentMs) ? CHOICES_MS : [...CHOICES_MS, presentMs].toSorted((one, other) => one - other);
}

export function durationWords(ms: number): string {
  return ms < 120_000 ? `${ms / 1_000} seconds` : `${ms / 60_000} minutes`;
}
