import type { ActionStatus } from '../../contract/action.ts';
import { type ActionEvent, isTerminal, nextState } from '../../domain/action-state.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Durability } from '../../store/writer.ts';
import type { Context } from '../context.ts';
import { createKeptAssessments, type Made } from './kept-assessments.ts';
import { stepFacts } from './step-facts.ts';

export type LiveActions = ReturnType<typeof createLiveActions>;

/** Called once the task has taken the end in: a listener may change that task too, since the end of one step can send the next. */
type EndListener = (ended: ActionRow) => void;

/**
 * Called inside the transaction that changes an action, with the action as it will be. The function that it answers is called after
 * the commit.
 */
export type ActionObserver = (to: ActionRow, event: ActionEvent, atMs: number) => (() => void) | undefined;

type Kind = ActionEvent['kind'];

/** A change of one kind, with the facts that its journal event has beside the new status and the step. */
type ChangeOf<Each extends Kind> = {
  event: Extract<ActionEvent, { kind: Each }>;
  metadata?: Omit<JournalEvent<`action.${Each}`>['metadata'], 'status' | 'taskId' | 'stepId'>;
};

/** The journal's word for each event. Node compares a text that is put together anew with each case of every switch, letter by letter. */
const JOURNAL_KIND = {
  allowed: 'action.allowed',
  released: 'action.released',
  denied: 'action.denied',
  expired: 'action.expired',
  dispatched: 'action.dispatched',
  succeeded: 'action.succeeded',
  failed: 'action.failed',
  undeliverable: 'action.undeliverable',
  withdrawn: 'action.withdrawn',
  stopped: 'action.stopped',
  lost: 'action.lost',
} as const satisfies { [Each in Kind]: `action.${Each}` };

type Refused = 'denied' | 'expired';

export type Change = (ChangeOf<Refused> | { [Each in Kind]: ChangeOf<Each> }[Exclude<Kind, Refused>]) & {
  /** Other changes of the row. */
  patch?: Partial<ActionRow>;
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
  const byStatus = new Map<ActionStatus, number>();
  const { keep: keepAssessment, forget, ...assessments } = createKeptAssessments(store, (id) => rows.has(id));

  function count(row: ActionRow | undefined, by: 1 | -1): void {
    if (row !== undefined) byStatus.set(row.status, (byStatus.get(row.status) ?? 0) + by);
  }

  function put(row: ActionRow): void {
    count(rows.get(row.id), -1);
    rows.set(row.id, row);
    count(row, 1);
  }

  /** Takes an ended action out; answers who waits for its end. */
  function takeOut({ id }: ActionRow): readonly EndListener[] {
    count(rows.get(id), -1);
    rows.delete(id);
    forget(id);
    const listeners = waiting.get(id);
    waiting.delete(id);
    return listeners ?? [];
  }

  function stage(row: ActionRow, { event, patch, metadata, also }: Change): (() => ActionRow) | undefined {
    const next = nextState(stateOf(row), event);
    if (next === undefined) return undefined;
    const atMs = clock.nowMs();
    const to: ActionRow = { ...row, ...next, ...(isTerminal(next.status) && { finishedAtMs: atMs }), ...patch };
    if (!store.actions.update(row, to)) return undefined;
    also?.(atMs);
    store.journal.append(atMs, {
      kind: JOURNAL_KIND[event.kind],
      userId: row.userId,
      deviceId: row.deviceId,
      actionId: row.id,
      metadata: { ...metadata, status: to.status, ...stepFacts(row) },
    });
    const followUp = observe(to, event, atMs);
    return () => {
      // The assessment is of the parameters as they were.
      if (patch?.parameters !== undefined) forget(row.id);
      if (!isTerminal(to.status)) put(to);
      const listeners = isTerminal(to.status) ? takeOut(to) : [];
      followUp?.();
      for (const listener of listeners) listener(to);
      return to;
    };
  }

  return {
    /** Lets one other part of the services record what follows from a change, in the same transaction. */
    observedBy(observer: ActionObserver): void {
      observe = observer;
    },
    get: (id: string): ActionRow | undefined => rows.get(id),
    all: (): ActionRow[] => [...rows.values()],
    /** How many actions that have not ended have a status. */
    countOf: (status: ActionStatus): number => byStatus.get(status) ?? 0,
    ...assessments,
    /** Takes in a row that was just stored, with its assessment, or a row that was found at start. */
    keep(row: ActionRow, made?: Made): void {
      if (isTerminal(row.status)) return;
      put(row);
      if (made !== undefined) keepAssessment(row, made);
    },
    /**
     * Records one event; only inside a write transaction with no other event. It answers a function that takes the new row in, for the
     * caller to call after the commit; nothing when the event does not fit.
     */
    stage,
    /** Applies one event; the new row, or nothing when the event does not fit: late, doubled or foreign. */
    change: (row: ActionRow, change: Change): ActionRow | undefined =>
      store.write(durabilityOf(row), () => stage(row, change))?.(),
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
