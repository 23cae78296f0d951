import type { ActionStatus } from '../../contract/action.ts';
import type { Target } from '../../contract/targets.ts';
import { type ActionEvent, isTerminal, nextState } from '../../domain/action-state.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Assessment, Seen } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Store } from '../../store/store.ts';
import type { Durability } from '../../store/writer.ts';
import type { Context } from '../context.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import type { CheckedAction } from './checked-action.ts';

export type LiveActions = ReturnType<typeof createLiveActions>;

/** Called once the task has taken the end in: a listener may change that task too, since the end of one step can send the next. */
type EndListener = (ended: ActionRow) => void;

/**
 * Called inside the transaction that changes an action, with the action as it will be. The function that it answers is called after
 * the commit.
 */
type ActionObserver = (to: ActionRow, event: ActionEvent, atMs: number) => (() => void) | undefined;

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

/** For the journal: the step of which task an action is an attempt, if it is one. */
export function stepFacts({ taskId, stepId }: Pick<ActionRow, 'taskId' | 'stepId'>): {
  stepId?: string;
  taskId?: string;
} {
  return taskId === undefined || stepId === undefined ? {} : { stepId, taskId };
}

/** The assessment of an action, and its parameters as canonical JSON. */
type Made = { byName: Assessment; checked: Pick<CheckedAction, 'arguments'> };

/**
 * The assessments of the actions that have not ended, as they were made when each action was admitted. An action of an earlier run
 * of the daemon is assessed from its row, once.
 */
function createKeptAssessments({ devices }: Pick<Store, 'devices'>, isLive: (id: string) => boolean) {
  const kept = new Map<string, { byName: Assessment; arguments?: string }>();
  return {
    keep({ id, status }: ActionRow, { byName, checked }: Made): void {
      // Thousands of actions may wait for their turn, and only a prompt shows arguments and contents.
      const isAsking = status === 'awaiting_confirmation';
      if (isAsking) kept.set(id, { byName, arguments: checked.arguments() });
      else kept.set(id, { byName: withoutContents(byName) });
    },
    /** By the parameters and their targets; the risk in the row may be higher. Nothing where the parameters are no longer kept. */
    assessmentOf(row: ActionRow): Assessment | undefined {
      const known = kept.get(row.id)?.byName;
      if (known !== undefined) return known;
      const byName = assessRow(row, { machine: devices.machineOf(row.deviceId) });
      if (byName !== undefined && isLive(row.id)) kept.set(row.id, { byName });
      return byName;
    },
    /** The parameters as canonical JSON. */
    argumentsOf: ({ id, parameters }: ActionRow): string => kept.get(id)?.arguments ?? canonicalJson(parameters ?? {}),
    forget: (id: string): void => void kept.delete(id),
  };
}

function withoutContents({ contents: _contents, ...assessment }: Assessment): Assessment {
  return assessment;
}

type Stored = {
  actionType: string;
  parameters?: Record<string, unknown> | undefined;
  targets?: readonly Target[] | undefined;
};

/** The assessment of an action that is read from the store, while its parameters are kept. */
export function assessRow(row: Stored, seen: Pick<Seen, 'folders' | 'machine'> = {}): Assessment | undefined {
  const { actionType, parameters, targets } = row;
  if (parameters === undefined) return undefined;
  const assessed = CATALOGUE.get(actionType)?.assess(parameters, { targets, ...seen });
  return assessed?.ok === true ? assessed.assessment : undefined;
}

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

type Options = {
  /** Records one end, inside a write transaction. The answer is called once that is stored. */
  stage(id: string): (() => void) | undefined;
  /** Called once all ends are stored. */
  done(): void;
  /** Called with the first failure of a slice. Its ends are tried again. */
  failed(error: unknown): void;
};

/**
 * Records the ends of hundreds of actions, in slices of transactions. The event loop serves other work in between. The first slice
 * runs within the call.
 */
export function createSlicedEnds(context: Context, { stage, done, failed }: Options) {
  const slices = createSlices(context, { done, failed });

  function* pieces(ids: readonly string[]): Generator<Piece> {
    for (const id of ids) yield () => context.store.write('durable', () => stage(id))?.();
  }

  return (ids: readonly string[]): void => slices.begin(pieces(ids));
}
