import { setImmediate as nextOfLoop } from 'node:timers/promises';
import type { ActionError } from '../../contract/action.ts';
import { UNDO_KEPT_MS } from '../../contract/times.ts';
import { actionError } from '../../domain/action-state.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import { CATALOGUE, isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { giveAccess } from '../permissions/access.ts';
import { deliveryOf } from './action-view.ts';
import { keepEvidence, type Pictures, partedByRole } from './evidence.ts';
import { isLargeData } from './large-data.ts';
import type { Change, LiveActions } from './live-actions.ts';

type Done = Extract<AttemptOutcome, { ok: true }>;
type NotDone = Extract<AttemptOutcome, { ok: false }>;

/** Records how attempts ended, each exactly once. */
export function createOutcomeRecorder(
  context: Context,
  { live, pictureAfter }: { live: LiveActions; pictureAfter(row: ActionRow): Promise<Pictures> },
) {
  async function record(row: ActionRow, outcome: AttemptOutcome, durationMs: number | undefined): Promise<void> {
    const { results, evidence: before } = partedByRole(outcome);
    // Of a failed input, whether it met something private shows in the picture before it.
    const after = outcome.ok || before.length > 0 ? pictureAfter(row) : undefined;
    await recordEnd(row, results, durationMs);
    if (mayLeaveCopy(row)) context.store.formerVersions.mayHaveGrown();
    // The requester's answer does not wait for the person's pictures.
    void keepEvidence(context, row, before);
    void after?.then((pictures) => keepEvidence(context, row, pictures));
  }

  async function recordEnd(row: ActionRow, outcome: AttemptOutcome, durationMs: number | undefined): Promise<void> {
    if (!outcome.ok) {
      live.change(row, notDone(row, outcome, durationMs));
      return;
    }
    if (outcome.attachments.length === 0) await keepData(context, live, { row, outcome, durationMs });
    else await keepWithArtifacts(context, live, { row, outcome, durationMs });
  }

  return {
    /** Resolves once the outcome is stored, with its artifacts. */
    record,
    /** The agent is gone: no word of this attempt will come. */
    lost(row: ActionRow, durationMs: number | undefined): void {
      live.change(row, lost(row, durationMs, 'The device agent went away while this was running.'));
    },
    /** The agent is there, and has said nothing since it was told to stop. */
    silent(row: ActionRow, durationMs: number | undefined): void {
      live.change(row, lost(row, durationMs, 'The device agent was told to stop this and did not answer.'));
    },
  };
}

/** A write that failed may have made its copy before. */
function mayLeaveCopy({ targets, effectClass }: ActionRow): boolean {
  return effectClass === 'once' && filesIn(targets).length > 0;
}

type Performed = Extract<Change, { event: { kind: 'succeeded' | 'failed' } }>;
type Parts = { row: ActionRow; outcome: Done; durationMs: number | undefined };

/** A large result becomes JSON, and is stored, in turns of the event loop after the one that received it. */
async function keepData(context: Context, live: LiveActions, { row, outcome, durationMs }: Parts): Promise<void> {
  const access = live.assessmentOf(row)?.asksAccess;
  const also = (atMs: number) => {
    keepUndo(context.store, { row, outcome, atMs });
    if (access !== undefined) giveAccess(context, row, access);
  };
  if (!isLargeData(outcome.data)) {
    live.change(row, { ...performed(row, outcome, durationMs), also });
    return;
  }
  await nextOfLoop();
  const dataText = JSON.stringify(outcome.data);
  await nextOfLoop();
  const current = live.get(row.id) ?? row;
  const { patch, ...change } = performed(current, outcome, durationMs);
  live.change(current, { ...change, also, patch: { ...patch, dataText } });
}

/** Only a file that the action was judged for can be put back. */
function keepUndo(
  store: Context['store'],
  { row, outcome, atMs }: { row: ActionRow; outcome: Done; atMs: number },
): void {
  const { undo: facts } = outcome;
  if (facts === undefined || !filesIn(row.targets).some(({ realPath }) => realPath === facts.path)) return;
  store.undos.insert({ actionId: row.id, facts, untilMs: atMs + UNDO_KEPT_MS });
}

async function keepWithArtifacts({ store, clock, log }: Context, live: LiveActions, parts: Parts): Promise<void> {
  const { row, outcome, durationMs } = parts;
  const removeFiles = () => Promise.all(artifacts.map(({ id }) => store.artifactFiles.remove(id))).catch(stayThere);
  const stayThere = (error: unknown) =>
    log.warn({ err: error }, 'files of artifacts that no record names stay for now');
  const artifacts = outcome.attachments.map(({ announced }): ArtifactRow => {
    return { ...announced, actionId: row.id, userId: row.userId, createdAtMs: clock.nowMs() };
  });
  try {
    await Promise.all(
      outcome.attachments.map(({ announced, bytes }) => store.artifactFiles.write(announced.id, bytes)),
    );
  } catch (error) {
    log.error({ err: error, actionId: row.id }, 'the bytes of an artifact could not be kept');
    live.change(live.get(row.id) ?? row, withoutArtifacts(parts));
    await removeFiles();
    return;
  }
  const current = live.get(row.id) ?? row;
  const kept = live.change(current, {
    ...performed(current, outcome, durationMs),
    also: () => {
      for (const artifact of artifacts) store.artifacts.insert(artifact);
    },
  });
  if (kept === undefined) await removeFiles();
}

/** The agent performed it to its end. The rules of its type say whether the result is a success. `isKept`: its outputs are stored. */
function performed(row: ActionRow, outcome: Done, durationMs: number | undefined, isKept = true): Performed {
  const { attempt, effectClass } = row;
  const patch = {
    details: outcome.details,
    effect: outcome.effect,
    data: outcome.data,
    artifactCount: outcome.attachments.length,
    durationMs,
  };
  const kept = {
    attachments: outcome.attachments.map(({ announced }) => announced.sha256),
    ...(isKept ? {} : { notKept: true as const }),
  };
  const shortfall = CATALOGUE.get(row.actionType)?.shortfall(row.parameters, outcome.data);
  if (shortfall === undefined)
    return { event: { kind: 'succeeded', attempt }, patch, metadata: { ...kept, effect: outcome.effect } };
  return {
    event: { kind: 'failed', attempt, sideEffect: 'done', effectClass },
    patch: { ...patch, error: { ...shortfall, retryable: false } },
    metadata: { errorCode: shortfall.code, sideEffect: 'done', ...kept },
  };
}

function notDone(row: ActionRow, outcome: NotDone, durationMs: number | undefined): Change {
  return outcome.cancelled ? stopped(row, outcome, durationMs) : failed(row, outcome, durationMs);
}

function failed(row: ActionRow, outcome: NotDone, durationMs: number | undefined): Change {
  return {
    event: { kind: 'failed', attempt: row.attempt, sideEffect: outcome.sideEffect, effectClass: row.effectClass },
    patch: {
      details: outcome.message,
      effect: outcome.sideEffect === 'none' ? 'none' : 'unverified',
      ...deliveryOf(row, outcome.sideEffect),
      error: errorOf(row, outcome),
      durationMs,
    },
    metadata: { errorCode: outcome.code, sideEffect: outcome.sideEffect },
  };
}

/** A `once` action that may have been done must not be tried again. The cause of its failure does not matter. */
function errorOf({ effectClass }: ActionRow, { code, message, fix, sideEffect }: NotDone): ActionError {
  if (effectClass !== 'once' || sideEffect === 'none') return actionError(code, message, fix);
  return { code, message, fix: fix ?? LOOK_FIRST[sideEffect], retryable: false };
}

const LOOK_FIRST = {
  done: 'Part of it was done. Look what is left to do before you submit it again.',
  unknown: 'It may have been done. Look before you submit it again.',
};

function stopped(row: ActionRow, outcome: NotDone, durationMs: number | undefined): Change {
  // Input that was done to its end is no failure, so this is a part of it.
  const isPart = isInput(row.actionType);
  const endings = {
    none: 'Cancelled; nothing had been done yet.',
    done: isPart ? `Cancelled. ${outcome.message}` : 'It had been done before it could be cancelled.',
    unknown: 'Cancelled; part of it may have been done.',
  };
  return {
    event: {
      kind: 'stopped',
      attempt: row.attempt,
      sideEffect: outcome.sideEffect,
      effectClass: row.effectClass,
      isPart,
    },
    patch: {
      ...deliveryOf(row, outcome.sideEffect),
      details: endings[outcome.sideEffect],
      effect: outcome.sideEffect === 'none' ? 'none' : 'unverified',
      durationMs,
    },
    metadata: { sideEffect: outcome.sideEffect },
  };
}

function lost(row: ActionRow, durationMs: number | undefined, what: string): Change {
  const doubt = {
    pure: 'It only reads, so nothing was changed; submit it again.',
    idempotent: 'It may have been done; doing it again is harmless.',
    once: 'It may have been done. Look before you submit it again.',
  }[row.effectClass];
  const message = `${what} ${doubt}`;
  return {
    event: { kind: 'lost', attempt: row.attempt, effectClass: row.effectClass },
    patch: {
      details: message,
      effect: row.effectClass === 'pure' ? 'none' : 'unverified',
      ...(row.effectClass === 'once' ? {} : { error: actionError('agent_unavailable', message) }),
      durationMs,
    },
    metadata: { errorCode: 'agent_unavailable' },
  };
}

/**
 * The output could not be written to disk, but the effect of the action remains. The record says both. A read has no other effect than
 * that output, so it counts as failed.
 */
function withoutArtifacts({ row, outcome, durationMs }: Parts): Change {
  if (row.effectClass === 'pure') return unreadable(row, durationMs);
  const details = `${outcome.details} ${NOT_KEPT} Do not submit it again for that alone.`;
  return performed(row, { ...outcome, details, attachments: [] }, durationMs, false);
}

const NOT_KEPT =
  'Its output could not be written to disk, so it is not kept: the disk is full, or the data directory cannot be written to.';

function unreadable(row: ActionRow, durationMs: number | undefined): Change {
  const message = 'The result could not be written to disk. Make room on the disk, then submit it again.';
  const { attempt, effectClass } = row;
  return {
    event: { kind: 'failed', attempt, sideEffect: 'none', effectClass },
    patch: { details: message, effect: 'none', error: actionError('internal_error', message), durationMs },
    metadata: { errorCode: 'internal_error', sideEffect: 'none' },
  };
}
