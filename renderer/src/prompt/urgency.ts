import type { Confirmation, QueuedConfirmation } from '../../../src/contract/console.ts';

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

/** The other prompts that ask exactly what this one asks. */
export function equalTo(shown: Shown, waiting: readonly QueuedConfirmation[]): QueuedConfirmation[] {
  return waiting.filter((other) => isEqual(shown, other) && other.id !== shown.id);
}

type Shown = Pick<Confirmation, 'id' | 'question'>;

/** A plan is equal to none. */
function isEqual({ question }: Shown, other: QueuedConfirmation): boolean {
  return question !== undefined && other.question === question;
}

export type QueueRow =
  | { kind: 'one'; confirmation: QueuedConfirmation; count: number }
  | { kind: 'flood'; userId: string; confirmations: QueuedConfirmation[] };

/** A user with more different prompts than this is shown as one row. */
const MANY = 3;

/** The queue behind the shown prompt. Equal requests are one row, and so is a user with many prompts, at the most urgent place. */
export function queueRows(waiting: readonly QueuedConfirmation[], shown: Shown | undefined): QueueRow[] {
  const inOrder = byUrgency(waiting);
  const byUser = Map.groupBy(inOrder, ({ prompt }) => prompt.requester.userId);
  const isFlood = (own: readonly QueuedConfirmation[]) => new Set(own.map(groupOf)).size > MANY;
  const isShown = (each: QueuedConfirmation) => shown !== undefined && (each.id === shown.id || isEqual(shown, each));
  const groups = [...Map.groupBy(inOrder, groupOf).values()];
  const flooders = new Set<string>();
  return groups.flatMap(([confirmation, ...equal]): QueueRow[] => {
    if (confirmation === undefined) return [];
    const { userId } = confirmation.prompt.requester;
    const confirmations = byUser.get(userId) ?? [];
    if (!isFlood(confirmations))
      return isShown(confirmation) ? [] : [{ kind: 'one', confirmation, count: equal.length + 1 }];
    if (flooders.has(userId)) return [];
    flooders.add(userId);
    return [{ kind: 'flood', userId, confirmations }];
  });
}

function groupOf({ id, question = id }: QueuedConfirmation): string {
  return question;
}
