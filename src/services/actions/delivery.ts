import type { SideEffect } from '../../contract/action.ts';
import type { Delivery } from '../../contract/hands.ts';
import { isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';

const DELIVERED = { none: 'no', done: 'yes', unknown: 'unknown' } as const;

/** Tells a caller how far input came that did not succeed. A model that sends twice is worse than one that asks. */
export function deliveryOf(
  { actionType, effectClass }: Pick<ActionRow, 'actionType' | 'effectClass'>,
  sideEffect: SideEffect,
): { data?: Delivery } {
  if (!isInput(actionType)) return {};
  const delivered = DELIVERED[sideEffect];
  return { data: { delivered, safeToRepeat: delivered === 'no' || effectClass !== 'once' } };
}

const BEGAN_OR_NOT: ReadonlySet<string> = new Set(['failed', 'cancelled', 'unknown']);

/** The result as requesters see it. Input that failed without a report of the agent also gets `delivered` and `safeToRepeat`. */
export function dataOf(row: ActionRow): { data?: unknown } {
  if (row.data !== undefined) return { data: row.data };
  return BEGAN_OR_NOT.has(row.status) ? deliveryOf(row, row.effect === 'none' ? 'none' : 'unknown') : {};
}
