import type { PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';

export type Turns = ReturnType<typeof createTurns>;

type Asking = Pick<PendingConfirmation, 'id' | 'userId'>;

/** Prompts that share a turn, in their order. */
type Party<Row> = { name: string; rank: number; prompts: readonly Row[] };

type Parts = {
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
};

const RANK = { locked: 0, known: 1, stranger: 2 } as const;

/**
 * Turns among requesters, so that many prompts of one do not hide the only prompt of another. A turn is over when a prompt that was
 * on screen ends. The requester with the oldest last turn is next. Among equals a requester with a key comes first, then one that
 * the person has dealt with, then the oldest prompt.
 */
export function createTurns({ store }: Context, { isKnown }: Parts) {
  let count = 0;
  const lastTurns = new Map<string, number>();
  const lastTurnOf = ({ name }: { name: string }) => lastTurns.get(name) ?? 0;

  function rankOf(userId: string): number {
    if (store.users.find(userId)?.keyHash !== undefined) return RANK.locked;
    return isKnown(userId) ? RANK.known : RANK.stranger;
  }

  function inTurn<Row extends Asking>(parties: readonly Party<Row>[]): Row[] {
    return dealt(
      parties.toSorted(
        (one, other) =>
          lastTurnOf(one) - lastTurnOf(other) || one.rank - other.rank || byId(one.prompts[0], other.prompts[0]),
      ),
    );
  }

  return {
    /** Whether the person has never dealt with this requester. */
    isStranger: (userId: string): boolean => rankOf(userId) === RANK.stranger,
    /** Prompts of one level of risk, all of strangers or none, in the order in which the person meets them. */
    order<Row extends Asking>(prompts: readonly Row[]): Row[] {
      const ofRequesters = [...Map.groupBy(prompts.toSorted(byId), ({ userId }) => userId)];
      const parties = ofRequesters.map(([name, own]): Party<Row> => ({ name, rank: rankOf(name), prompts: own }));
      return inTurn(parties);
    },
    /** A prompt has ended, or was answered. Its requester had a turn if it was on screen. */
    ended(confirmationId: string): void {
      const { userId, shownAtMs } = store.confirmations.find(confirmationId) ?? {};
      if (userId === undefined || shownAtMs === undefined) return;
      count += 1;
      lastTurns.set(userId, count);
    },
    /** The person took an answer back: the prompt is next again. */
    giveBack: (userId: string): void => void lastTurns.delete(userId),
    /** Nothing waits, so nobody is owed a turn. */
    forget: (): void => lastTurns.clear(),
  };
}

/** The first prompt of each party, then the second of each, and so on. */
function dealt<Row>(parties: readonly Party<Row>[]): Row[] {
  const rounds = Math.max(0, ...parties.map(({ prompts }) => prompts.length));
  return Array.from({ length: rounds }, (_, round) =>
    parties.flatMap(({ prompts }) => prompts.slice(round, round + 1)),
  ).flat();
}

/** Ids begin with their time. */
function byId(one: Asking | undefined, other: Asking | undefined): number {
  return (one?.id ?? '') < (other?.id ?? '') ? -1 : 1;
}
