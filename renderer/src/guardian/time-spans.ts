/** The windows that a metric can be looked at in, with the number of points that gives steps of a round length. */
export const WINDOWS = {
  '1h': { points: 61, words: 'hour' },
  '6h': { points: 73, words: '6 hours' },
  '24h': { points: 25, words: '24 hours' },
  '7d': { points: 85, words: '7 days' },
  '30d': { points: 121, words: '30 days' },
  '90d': { points: 91, words: '90 days' },
} as const;

export type WindowName = keyof typeof WINDOWS;

/** The window that an address names; a day for any other text. */
export function windowNamed(text: string | null): WindowName {
  return (Object.keys(WINDOWS) as WindowName[]).find((name) => name === text) ?? '24h';
}

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
