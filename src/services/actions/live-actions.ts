import { type ActionEvent, isTerminal, nextState } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { JournalMetadata } from '../../store/journal.ts';
import type { Durability } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { stepFacts } from './step-facts.ts';

export type LiveActions = ReturnType<typeof createLiveActions>;

type EndListener = (ended: ActionRow) => void;

/**
 * Called inside the transaction that changes an action, with the action as it will be. What it answers is called once that is
 * stored.
 */
export type ActionObserver = (to: ActionRow, event: ActionEvent, atMs: number) => (() => void) | undefined;

export type Change = {
  event: ActionEvent;
  /** What else changes in the row. */
  patch?: Partial<ActionRow>;
  /** Facts for the journal beside the new status. */
  metadata?: JournalMetadata;
  /** Further writes of the same transaction; throwing takes all of it back. */
  also?(atMs: number): void;
};

/**
 * The actions that have not ended, in memory as they are in the store, and the one way to change them: state machine, row
 * and journal event together in one transaction.
 */
export function createLiveActions({ store, clock }: Context) {
  const rows = new Map<string, ActionRow>();
  const waiting = new Map<string, EndListener[]>();
  let observe: ActionObserver = () => undefined;

  function ended(row: ActionRow): void {
    rows.delete(row.id);
    const callbacks = waiting.get(row.id) ?? [];
    waiting.delete(row.id);
    for (const callback of callbacks) callback(row);
  }

  return {
    /** Lets one other part of the services record what follows from a change, in the same transaction. */
    observedBy(observer: ActionObserver): void {
      observe = observer;
    },
    get: (id: string): ActionRow | undefined => rows.get(id),
    all: (): ActionRow[] => [...rows.values()],
    /** Takes in a row that was just stored, or found at start. */
    keep(row: ActionRow): void {
      if (!isTerminal(row.status)) rows.set(row.id, row);
    },
    /** Applies one event; the new row, or nothing when the event does not fit: late, doubled or foreign. */
    change(row: ActionRow, { event, patch, metadata, also }: Change): ActionRow | undefined {
      const next = nextState(stateOf(row), event);
      if (next === undefined) return undefined;
      const atMs = clock.nowMs();
      const finishing = isTerminal(next.status) ? { finishedAtMs: atMs } : {};
      const to: ActionRow = { ...row, ...next, ...finishing, ...patch };
      const stored = store.write(durabilityOf(row), () => {
        if (!store.actions.update(row, to)) return undefined;
        also?.(atMs);
        store.journal.append(atMs, {
          kind: `action.${event.kind}`,
          userId: row.userId,
          deviceId: row.deviceId,
          actionId: row.id,
          metadata: { status: to.status, ...stepFacts(row), ...metadata },
        });
        return { followUp: observe(to, event, atMs) };
      });
      if (stored === undefined) return undefined;
      if (isTerminal(to.status)) ended(to);
      else rows.set(to.id, to);
      stored.followUp?.();
      return to;
    },
    /** Calls back once when a live action has ended; the answer calls it off. */
    whenEnded(id: string, callback: EndListener): () => void {
      waiting.set(id, [...(waiting.get(id) ?? []), callback]);
      return () => {
        const others = waiting.get(id)?.filter((other) => other !== callback);
        if (others !== undefined) waiting.set(id, others);
      };
    },
  };
}

/** Where an effect may follow, the record must be on disk before it; a read may be repeated. */
export function durabilityOf(row: ActionRow): Durability {
  return row.effectClass === 'pure' ? 'relaxed' : 'durable';
}

function stateOf(row: ActionRow) {
  return row.status === 'running' ? { status: row.status, attempt: row.attempt } : { status: row.status };
}
