import type { RiskLevel } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import { type Ask, newConfirmation } from '../browser/made-up.ts';

type Made = Pick<Ask, 'expiresInMs' | 'plan'> & { level?: RiskLevel; userId?: string; ageMs?: number; place?: number };

/** A prompt that waits. */
export function waiting(
  id: string,
  { level = 'medium', userId = 'ann', ageMs = 0, place = 1, ...rest }: Made = {},
): Confirmation {
  const made = newConfirmation({ level, userId, ...rest });
  return { ...made, id, createdAt: new Date(BORN_MS - ageMs).toISOString(), prompt: { ...made.prompt, place } };
}

const BORN_MS = Date.parse('2026-05-04T10:00:00.000Z');
