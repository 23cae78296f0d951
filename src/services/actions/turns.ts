/**
 * The actions that wait for their turn: those of a user in the order in which they came, users by turns, so that nobody waits for all
 * that somebody else has asked for.
 */
export function createTurns() {
  const userOf = new Map<string, string>();
  /** By user; whoever was served last comes last. */
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
    /** In whose order they are to be tried: whoever has the least under way first, and of those, whoever was served longest ago. */
    inOrder(underWay: ReadonlyMap<string, number>): string[] {
      return [...waiting]
        .toSorted(([one], [other]) => (underWay.get(one) ?? 0) - (underWay.get(other) ?? 0))
        .flatMap(([, ids]) => [...ids]);
    },
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
