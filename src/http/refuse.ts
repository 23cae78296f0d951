import type { ProblemCode } from '../contract/problem.ts';
import type { Refusal } from '../services/refusal.ts';

/** A refusal that `http` itself makes. */
export type HttpRefusal = Refusal & { madeBy: 'http'; headers?: Record<string, string> };

export function refuse(
  code: ProblemCode,
  detail: string,
  more: Omit<HttpRefusal, 'refused' | 'detail' | 'madeBy'> = {},
): HttpRefusal {
  return { refused: code, detail, madeBy: 'http', ...more };
}

export function isHttpRefusal(refusal: Refusal): refusal is HttpRefusal {
  return 'madeBy' in refusal;
}

/** Carries a refusal out of the places where Fastify takes nothing but errors, such as a body parser. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: HttpRefusal;

  constructor(refusal: HttpRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** A received value, fit to be shown in a `detail`: quoted, and cut if it is longer than a person would read. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
