import { zOfTails } from '../../../src/guardian/statistics/normal.ts';

/** The value below which a standard normal variable lies with this probability. */
export function normalQuantile(probability: number): number {
  return zOfTails({ below: probability, above: 1 - probability });
}
