import type { ProblemCode } from '../../src/contract/problem.ts';
import type { Refusal } from '../../src/services/refusal.ts';

export function refused(code: ProblemCode, detail: string): Refusal {
  return { refused: code, detail };
}
