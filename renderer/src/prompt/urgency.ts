import type { QueuedConfirmation } from '../../../src/contract/console.ts';

/** In the places that the daemon gave them: known requesters before strangers, of these the most dangerous first. */
export function byUrgency<Waiting extends QueuedConfirmation>(waiting: readonly Waiting[]): Waiting[] {
  return waiting.toSorted((one, other) => one.prompt.place - other.prompt.place);
}

/**
 * Which prompt is shown. A prompt that was fully on screen stays while the person looks at it, because nothing may change under a
 * hand that is about to answer. When the person looks away or the prompt has ended, the most urgent one is next.
 */
export function chosen<Waiting extends QueuedConfirmation>(
  waiting: readonly Waiting[],
  looking: { atId: string | undefined; isAttended: boolean },
): Waiting | undefined {
  const current = waiting.find(({ id }) => id === looking.atId);
  return looking.isAttended && current?.shownAt !== undefined ? current : byUrgency(waiting)[0];
}

export type QueueRow =
  | { kind: 'one'; confirmation: QueuedConfirmation }
  | { kind: 'flood'; userId: string; confirmations: QueuedConfirmation[] };

/** A user with more prompts than this is shown as one row. */
const MANY = 3;

/** The queue behind the shown prompt; a user with many prompts is one row, at the place of the most urgent one. */
export function queueRows(waiting: readonly QueuedConfirmation[], shownId: string | undefined): QueueRow[] {
  const byUser = Map.groupBy(byUrgency(waiting), ({ prompt }) => prompt.requester.userId);
  const isFlood = (userId: string) => (byUser.get(userId)?.length ?? 0) > MANY;
  const flooders = new Set<string>();
  return byUrgency(waiting).flatMap((confirmation): QueueRow[] => {
    const { userId } = confirmation.prompt.requester;
    if (!isFlood(userId)) return confirmation.id === shownId ? [] : [{ kind: 'one', confirmation }];
    if (flooders.has(userId)) return [];
    flooders.add(userId);
    return [{ kind: 'flood', userId, confirmations: byUser.get(userId) ?? [] }];
  });
}
