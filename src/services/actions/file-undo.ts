import type { Action } from '../../contract/action.ts';
import { UndoneFile } from '../../contract/files.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { UNDO_FILE } from '../../contract/link.ts';
import { UNDO_WORDS } from '../../contract/times.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { UndoRow } from '../../store/records/undos.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { Context } from '../context.ts';
import type { MachineAgent, MachineAgents } from '../machines/agents.ts';
import type { Refusal } from '../refusal.ts';
import { viewStored } from './action-view.ts';

/** A copy of 256 MiB has to be made and read back. */
const PATIENCE_MS = 60_000;

export type FileUndos = ReturnType<typeof createFileUndos>;

/**
 * Puts files back that actions overwrote or moved to the trash. Only the person asks for it, so neither the rules nor the allowed
 * folders count, nor the emergency stop: those limit requesters. The agent compares the files before it changes anything.
 */
export function createFileUndos(context: Context, agents: MachineAgents) {
  const { store, clock } = context;
  const underWay = new Set<string>();

  async function ask({ ask }: MachineAgent, { actionId, facts }: UndoRow): Promise<AttemptOutcome | undefined> {
    const formerAt = facts.kind === 'overwritten' ? { formerAt: store.formerVersions.pathOf(actionId) } : {};
    const parameters = { undo: facts, ...formerAt };
    return ask({
      type: UNDO_FILE,
      parameters,
      effectClass: 'once',
      patienceMs: PATIENCE_MS,
    });
  }

  function record(row: ActionRow, { actionId, facts }: UndoRow, outcome: AttemptOutcome | undefined): void {
    const ids = { userId: row.userId, deviceId: row.deviceId, actionId };
    const atMs = clock.nowMs();
    store.write('durable', () => {
      if (outcome?.ok !== true) {
        const metadata = { what: facts.kind, errorCode: outcome?.code ?? 'agent_unavailable' };
        store.journal.append(atMs, { kind: 'file.undo_failed', ...ids, metadata });
        return;
      }
      store.undos.markUndone(actionId, atMs);
      const { data } = outcome;
      if (facts.kind === 'overwritten' && isUndoneFile(data))
        store.undos.rebind(
          { machine: agents.of(row.deviceId).machine, path: facts.path },
          facts.former.identity,
          data.identity,
        );
      store.journal.append(atMs, { kind: 'file.undone', ...ids, metadata: { what: facts.kind } });
    });
  }

  async function undoNow(row: ActionRow, undo: UndoRow): Promise<Action | Refusal> {
    const { userId, deviceId, id: actionId } = row;
    const metadata = { what: undo.facts.kind };
    store.write('durable', () =>
      store.journal.append(clock.nowMs(), { kind: 'file.undo_requested', userId, deviceId, actionId, metadata }),
    );
    const outcome = await ask(agents.of(deviceId), undo);
    record(row, undo, outcome);
    if (outcome?.ok === true) return viewStored(context, row);
    return outcome === undefined ? NO_ANSWER : notDone(outcome);
  }

  return {
    /** Puts back the file of one action, of any requester. Answers the action as it is then. */
    async undo(actionId: string): Promise<Action | Refusal> {
      const row = store.actions.findById(actionId);
      if (row === undefined) return { refused: 'action_not_found', detail: `There is no action ${actionId}.` };
      const undo = store.undos.find(actionId);
      const objection = objectionTo(undo, clock.nowMs(), underWay.has(actionId)) ?? offline(agents.of(row.deviceId));
      if (undo === undefined || objection !== undefined) return objection ?? NOTHING_TO_UNDO;
      underWay.add(actionId);
      return undoNow(row, undo).finally(() => underWay.delete(actionId));
    },
  };
}

const isUndoneFile = lazyCheck(UndoneFile);

function objectionTo(undo: UndoRow | undefined, nowMs: number, isUnderWay: boolean): Refusal | undefined {
  if (undo === undefined) return NOTHING_TO_UNDO;
  if (undo.undoneAtMs !== undefined) return impossible('undone', `${undo.facts.path} was put back already.`);
  if (nowMs >= undo.untilMs) return EXPIRED;
  if (undo.formerRemovedAtMs !== undefined) return impossible('former_removed', formerRemoved(undo));
  return isUnderWay ? impossible('under_way', `${undo.facts.path} is being put back.`) : undefined;
}

function offline({ port }: MachineAgent): Refusal | undefined {
  if (port.status() === 'online') return undefined;
  const detail = 'The device agent is not online, and only it changes files. Nothing was done; try again when it is.';
  return { refused: 'device_offline', detail };
}

function notDone({ code, message, fix, sideEffect }: Extract<AttemptOutcome, { ok: false }>): Refusal {
  const doubt = sideEffect === 'none' ? '' : ' Look at the file before you try again.';
  return impossible(code, `${message}${fix === undefined ? '' : ` ${fix}`}${doubt}`);
}

function impossible(reason: string, detail: string): Refusal {
  return { refused: 'undo_not_possible', detail, facts: { reason } };
}

function formerRemoved({ facts: { path } }: UndoRow): string {
  return `The former version of ${path} was removed to make room for newer ones: at most ${UNDO_WORDS.quota} are kept. The file stays as it is. Restore the former version from a backup, such as Time Machine.`;
}

const NOTHING_TO_UNDO = impossible(
  'nothing_to_undo',
  `There is nothing to put back: only a file that was overwritten or moved to the trash can be, for ${UNDO_WORDS.keptFor}.`,
);

const EXPIRED: Refusal = {
  refused: 'undo_expired',
  detail: `The ${UNDO_WORDS.keptFor} are over in which Handrail could put the file back. A file in the trash may still be there.`,
};

const NO_ANSWER: Refusal = {
  refused: 'device_offline',
  detail: 'The device agent did not answer in time. Look at the file before you try again.',
};
