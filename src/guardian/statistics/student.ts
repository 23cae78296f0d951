import { regularizedBeta } from './beta-function.ts';
import { zOfTails } from './normal.ts';

/** The z-score, in ±8, that is as improbable as `t` in Student's distribution with so many degrees of freedom (DLMF 8.17, A&S 26.7). */
export function zOfStudent(t: number, degreesOfFreedom: number): number {
  const beyond =
    regularizedBeta(degreesOfFreedom / (degreesOfFreedom + t * t), { a: degreesOfFreedom / 2, b: 0.5 }) / 2;
  return zOfTails(t < 0 ? { below: beyond, above: 1 - beyond } : { below: 1 - beyond, above: beyond });
}
