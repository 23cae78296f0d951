import type { AccessibilityBus } from './accessibility-bus.ts';
import { type AccessibleRef, refsOf } from './accessible-node.ts';

/** Bits of AtspiStateType. */
export const STATES = { enabled: 8, focused: 12, selected: 23, showing: 25, isDefault: 39 } as const;

/** All of the states, and one of the roles (AtspiRole) if there are any. */
export type Wanted = { states: readonly number[]; roles?: readonly number[]; most?: number };

/** AtspiCollectionMatchType, and the order of the tree. */
const [ALL, ANY, IN_ORDER] = [1, 2, 1];

/**
 * The objects inside of another, in the order of the tree; `null` where the app does not search. It looks at all objects, and other apps
 * than browsers make every entry of a list for that, so only browsers are asked.
 */
export async function matchesIn(
  bus: AccessibilityBus,
  within: AccessibleRef,
  { wanted, timeoutMs }: { wanted: Wanted; timeoutMs: number },
): Promise<AccessibleRef[] | null> {
  const { states, roles = [], most = 0 } = wanted;
  const rule = [bits(states, 2), ALL, [], ALL, bits(roles, 5), roles.length > 0 ? ANY : ALL, [], ALL, false];
  const found = await bus.ask(
    within,
    {
      interface: 'org.a11y.atspi.Collection',
      member: 'GetMatches',
      signature: '(aiia{ss}iaiiasib)uib',
      body: [rule, IN_ORDER, most, true],
    },
    timeoutMs,
  );
  return found === null ? null : refsOf(found[0]);
}

function bits(places: readonly number[], words: number): number[] {
  const set = new Int32Array(words);
  for (const place of places) set[place >> 5] = (set[place >> 5] ?? 0) | (1 << (place & 31));
  return [...set];
}
