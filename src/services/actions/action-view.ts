import type { Action, Artifact, SideEffect } from '../../contract/action.ts';
import type { FileUndo } from '../../contract/files.ts';
import type { Delivery } from '../../contract/hands.ts';
import { DENIAL_HELD_MS } from '../../contract/times.ts';
import { CATALOGUE, isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { UndoRow } from '../../store/records/undos.ts';
import type { Clock, Context } from '../context.ts';
import { shownMs } from '../rounding.ts';
import { termTimestamp, timestamp } from '../steady-clock.ts';

/** The action with its artifacts and its pending prompt. */
export function viewStored({ store, clock }: Context, row: ActionRow): Action {
  const undo = mayHaveUndo(row) ? store.undos.find(row.id) : undefined;
  const asks = row.status === 'awaiting_confirmation';
  return viewAction(row, {
    artifacts:
      row.artifactCount > 0
        ? store.artifacts.ofAction(row.id).filter((artifact) => artifact.removedAtMs === undefined)
        : [],
    confirmation: asks ? store.confirmations.findByAction(row.id) : undefined,
    undo: undo === undefined ? undefined : viewUndo(undo, clock),
  });
}

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

/** The record of an action as callers see it. */
export function viewAction(
  row: ActionRow,
  beside: {
    artifacts: readonly ArtifactRow[];
    confirmation?: ConfirmationRow | undefined;
    undo?: FileUndo | undefined;
  },
): Action {
  const { confirmation, undo } = beside;
  return {
    actionId: row.id,
    actionType: row.actionType,
    targetDeviceId: row.deviceId,
    userId: row.userId,
    taskId: row.taskId,
    stepId: row.stepId,
    status: row.status,
    details: row.details,
    risk: row.risk,
    effect: row.effect,
    ...dataOf(row),
    ...(beside.artifacts.length === 0 ? {} : { artifacts: beside.artifacts.map(viewArtifact) }),
    error: row.error,
    undo,
    confirmation: confirmation && viewPrompt(confirmation),
    reason: row.reason,
    createdAt: timestamp(row.createdAtMs),
    decidedAt: timestamp(row.decidedAtMs),
    startedAt: timestamp(row.startedAtMs),
    finishedAt: timestamp(row.finishedAtMs),
    durationMs: row.durationMs && shownMs(row.durationMs),
  };
}

/** The prompt that a record waits for. */
export function viewPrompt({ id, expiresAtMs, denialHeldAtMs }: ConfirmationRow): NonNullable<Action['confirmation']> {
  return {
    id,
    expiresAt: timestamp(expiresAtMs),
    ...(denialHeldAtMs !== undefined && { denialFinalAt: timestamp(denialHeldAtMs + DENIAL_HELD_MS) }),
  };
}

/** Only these types leave something that can be put back, so that no other row costs a look-up. */
function mayHaveUndo({ actionType, status }: ActionRow): boolean {
  return status === 'success' && CATALOGUE.get(actionType)?.mayHaveUndo === true;
}

function viewUndo({ facts, untilMs, undoneAtMs, formerRemovedAtMs }: UndoRow, clock: Clock): FileUndo | undefined {
  const { kind, path } = facts;
  const file = { kind, path, isFolder: kind === 'trashed' && facts.isFolder };
  if (undoneAtMs !== undefined) return { ...file, undoneAt: timestamp(undoneAtMs) };
  if (clock.nowMs() >= untilMs) return undefined;
  if (formerRemovedAtMs !== undefined) return { ...file, formerRemovedAt: timestamp(formerRemovedAtMs) };
  return { ...file, until: termTimestamp(clock, untilMs) };
}

function viewArtifact(row: ArtifactRow): Artifact {
  const { id, mediaType, width, height, sizeBytes, sha256 } = row;
  return { id, mediaType, width, height, sizeBytes, sha256, url: `/api/tee/artifacts/${id}` };
}
