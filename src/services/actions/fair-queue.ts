/**
 * Actions that wait for their turn: those of a user in the order in which they came, users by turns, so that no user waits for
 * everything that another has asked for.
 */
export function createTurns() {
  const userOf = new Map<string, string>();
  /** By user; the user that was served last comes last. */
  const waiting = new Map<string, Set<string>>();

  function remove(id: string): boolean {
    const userId = userOf.get(id);
    if (userId === undefined) return false;
    userOf.delete(id);
    const ids = waiting.get(userId);
    ids?.delete(id);
    if (ids?.size === 0) waiting.delete(userId);
    return true;
  }

  return {
    add({ id, userId }: { id: string; userId: string }): void {
      if (userOf.has(id)) return;
      userOf.set(id, userId);
      const ids = waiting.get(userId);
      if (ids === undefined) waiting.set(userId, new Set([id]));
      else ids.add(id);
    },
    has: (id: string): boolean => userOf.has(id),
    /** False where it did not wait. */
    remove,
    ids: (): string[] => [...userOf.keys()],
    /** The actions of each user; the user that was served last comes last. */
    byUser: (): [string, Set<string>][] => [...waiting],
    /** Takes one out, since its turn has come. */
    serve(id: string): void {
      const userId = userOf.get(id);
      remove(id);
      const rest = userId === undefined ? undefined : waiting.get(userId);
      if (userId === undefined || rest === undefined) return;
      waiting.delete(userId);
      waiting.set(userId, rest);
    },
    isEmpty: (): boolean => userOf.size === 0,
  };
}

/** The order in which waiting actions are tried: users with the least under way first, and of these those served longest ago. */
export function inOrder(
  groups: readonly ReturnType<typeof createTurns>[],
  underWay: ReadonlyMap<string, number>,
): string[] {
  return groups
    .flatMap((group) => group.byUser())
    .toSorted(([one], [other]) => (underWay.get(one) ?? 0) - (underWay.get(other) ?? 0))
    .flatMap(([, ids]) => [...ids]);
}
