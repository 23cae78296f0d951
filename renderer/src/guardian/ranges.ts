/** The ranges of the chart of the overview, with the number of points that gives steps of a round length. */
export const RANGES = {
  '24h': { points: 49, words: '24 hours' },
  '7d': { points: 57, words: '7 days' },
  '30d': { points: 61, words: '30 days' },
} as const;

export type RangeName = keyof typeof RANGES;

export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

/** The range that an address names; a day for any other text. */
export function rangeNamed(text: string | null): RangeName {
  return RANGE_NAMES.find((name) => name === text) ?? '24h';
}
