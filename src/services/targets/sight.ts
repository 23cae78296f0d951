import { keyOf, type LostTarget, type Target, type TargetReference } from '../../contract/targets.ts';

/** The target of each reference, by the key of the reference. */
export type Sight = ReadonlyMap<string, Target | LostTarget>;

/** The sight of nothing: no agent was asked. */
export const NOTHING: Sight = new Map();

/** The targets that were found, and the first reference that leads nowhere. */
export type Seen = { targets: readonly Target[]; lost?: LostTarget | undefined };

/** The part of a sight for some references, in their order. A reference that nobody looked at is neither found nor lost. */
export function seenIn(sight: Sight, references: readonly TargetReference[]): Seen {
  const seen = references.flatMap((reference) => sight.get(keyOf(reference)) ?? []);
  return { targets: seen.filter(isFound), lost: seen.find(isLost) };
}

export function isFound(each: Target | LostTarget): each is Target {
  return each.kind !== 'lost';
}

function isLost(each: Target | LostTarget): each is LostTarget {
  return each.kind === 'lost';
}
