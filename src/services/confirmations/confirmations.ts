import { randomBytes } from 'node:crypto';
import type { RiskLevel } from '../../contract/action.ts';
import type { Confirmation, Decision } from '../../contract/console.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { ConfirmationRow } from '../../store/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { actionOf, objection, POLICY_VERSION, recordAllowed, recordRefused } from './answer.ts';
import { createHolds } from './holds.ts';
import { viewConfirmation } from './view.ts';

/** How long a prompt waits for its answer. */
const EXPIRY_MS = 90_000;
/** How long after it was shown a prompt cannot be allowed yet. */
const DELAY_MS: Record<RiskLevel, number> = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };

export type Confirmations = ReturnType<typeof createConfirmations>;

type Parts = {
  live: LiveActions;
  /** What an allowed action does next. */
  allowed(row: ActionRow): void;
};

/** What waits for a person, and the person's answers. */
export function createConfirmations(context: Context, { live, allowed }: Parts) {
  const { store, clock } = context;
  const holds = createHolds(context);
  const { viewAll, view } = createQueueView(context, live);
  const pending = (id: string) => pendingOrRefusal(store.confirmations.find(id), id);

  return {
    /** Stores the prompt for an action; only inside the transaction that stores the action. */
    insert(action: ActionRow): ConfirmationRow {
      const row = newConfirmation(context, action);
      store.confirmations.insert(row);
      return row;
    },
    /** Ends a prompt at its time, unless it is answered before. */
    watch(row: ConfirmationRow): void {
      const details = 'Nobody answered in time; nothing was done.';
      const stop = clock.after(row.expiresAtMs - clock.nowMs(), () => {
        if (store.confirmations.find(row.id)?.status === 'pending')
          recordRefused(context, live, row, { status: 'expired', details });
      });
      live.whenEnded(row.actionId, () => {
        stop();
        holds.forget(row.id);
      });
    },
    /** Oldest first within the highest risk. */
    list: viewAll,
    /** The page says that the prompt is fully on screen: from here the delay of its Allow button counts. */
    shown(id: string): Confirmation | Refusal {
      const row = pending(id);
      if (isRefusal(row)) return row;
      const atMs = clock.nowMs();
      const answerableAtMs = atMs + DELAY_MS[actionOf(live, row).risk.level];
      store.write('relaxed', () => {
        store.confirmations.markShown(row.id, { shownAtMs: atMs, answerableAtMs });
        store.journal.append(atMs, {
          kind: 'confirmation.shown',
          userId: row.userId,
          actionId: row.actionId,
          confirmationId: id,
        });
      });
      return view(id);
    },
    hold(id: string, phase: 'press' | 'release'): Confirmation | Refusal {
      const row = pending(id);
      if (isRefusal(row)) return row;
      holds.note(id, phase);
      return view(id);
    },
    decide(id: string, decision: Decision): ActionRow | Refusal {
      const row = pending(id);
      if (isRefusal(row)) return row;
      const refusal = objection(context, { row, action: actionOf(live, row), decision, isHeld: holds.isComplete(id) });
      if (refusal !== undefined) return refusal;
      if (decision.decision === 'deny') {
        return recordRefused(context, live, row, {
          status: 'denied',
          details: 'The person said no; nothing was done.',
        });
      }
      const action = recordAllowed(context, live, row);
      allowed(action);
      return live.get(action.id) ?? action;
    },
    /** Ends everything that waits for a person. */
    expireAll(details: string): void {
      for (const row of store.confirmations.pending())
        recordRefused(context, live, row, { status: 'expired', details });
    },
    pendingCounts(userId: string): { ofUser: number; inAll: number } {
      const rows = store.confirmations.pending();
      return { ofUser: rows.filter((row) => row.userId === userId).length, inAll: rows.length };
    },
  };
}

function pendingOrRefusal(row: ConfirmationRow | undefined, id: string): ConfirmationRow | Refusal {
  if (row === undefined) return { refused: 'not_found', detail: `There is no confirmation ${id}.` };
  if (row.status === 'expired') {
    return { refused: 'confirmation_expired', detail: 'The prompt expired, which means no. Submit the action again.' };
  }
  if (row.status !== 'pending') {
    return { refused: 'confirmation_resolved', detail: `The prompt was already answered: ${row.status}.` };
  }
  return row;
}

function newConfirmation({ clock, newId }: Context, action: ActionRow): ConfirmationRow {
  return {
    id: newId('cnf'),
    actionId: action.id,
    userId: action.userId,
    actionDigest: action.digest,
    nonce: randomBytes(16).toString('base64url'),
    policyVersion: POLICY_VERSION,
    status: 'pending',
    createdAtMs: clock.nowMs(),
    expiresAtMs: clock.nowMs() + EXPIRY_MS,
  };
}

/** The prompts as the dashboard sees them, each with its place in the queue. */
function createQueueView(context: Context, live: LiveActions) {
  function viewAll(): Confirmation[] {
    const rows = byUrgency(context.store.confirmations.pending(), live);
    const waiting = rows.length;
    return rows.map((row, index) =>
      viewConfirmation(context, { row, action: actionOf(live, row), place: index + 1, waiting }),
    );
  }
  return {
    viewAll,
    view(id: string): Confirmation {
      const found = viewAll().find((confirmation) => confirmation.id === id);
      if (found === undefined) throw new Error(`confirmation ${id} is pending and not in the queue`);
      return found;
    },
  };
}

function byUrgency(rows: readonly ConfirmationRow[], live: LiveActions): ConfirmationRow[] {
  const riskOf = (row: ConfirmationRow) => actionOf(live, row).risk.level;
  return rows.toSorted((one, other) => {
    if (riskOf(one) !== riskOf(other)) return isAtLeast(riskOf(one), riskOf(other)) ? -1 : 1;
    return one.id < other.id ? -1 : 1;
  });
}
