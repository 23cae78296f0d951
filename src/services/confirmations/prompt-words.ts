import canonicalize from 'canonicalize';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';

/** Control, bidirectional, zero-width and other characters that show nothing become escapes, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, (character) => {
    return character === '\n' ? '\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Parameters as a person can read them: canonical JSON, complete. */
export function visibleArguments(parameters: unknown): string {
  return visible(canonicalize(parameters ?? {}) ?? '{}');
}

/** How often, and when last, this user's actions of this type were allowed. */
export function historyOf({ store }: Context, userId: string, actionType: string): string {
  const { times, lastAtMs, outOf } = store.confirmations.allowedBefore(userId, actionType);
  if (times === 0 || lastAtMs === null) return outOf === null ? FIRST_TIME : `Not allowed in the last ${outOf} prompts`;
  const among = outOf === null ? '' : ` in the last ${outOf} prompts`;
  return `Allowed ${times} ${times === 1 ? 'time' : 'times'}${among}, last ${timestamp(lastAtMs)}`;
}

export const FIRST_TIME = 'First time';
