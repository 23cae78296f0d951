import { regularizedBeta } from './beta-function.ts';

/** The probability of more than `t` in Student's distribution with so many degrees of freedom (DLMF 8.17, A&S 26.7). */
export function probabilityAbove(t: number, degreesOfFreedom: number): number {
  const beyond =
    regularizedBeta(degreesOfFreedom / (degreesOfFreedom + t * t), { a: degreesOfFreedom / 2, b: 0.5 }) / 2;
  return t < 0 ? 1 - beyond : beyond;
}
