import type { InputDriver } from '../input.ts';
import type { Attempt } from '../outcome.ts';

/** The documents around what has the keyboard, by a whole look. */
export async function documentsSeen(
  sight: InputDriver['sight'],
  attempt: Attempt,
): ReturnType<InputDriver['focusDocuments']> {
  const found = await sight({ kind: 'focus' }, attempt);
  return found.ok ? { ok: true, data: found.data.documents } : found;
}
