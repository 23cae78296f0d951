import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Capabilities } from '../../contract/device.ts';
import type { ResolvedPath } from '../../contract/files.ts';
import type { PerformParams } from '../../contract/link.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { isWithinOwn, type OwnPlace, ownPlaces } from '../targets/targets.ts';
import type { LiveActions } from './live-actions.ts';

/**
 * How long an approved action may wait until it is sent. The person decided by the screen of that moment. A requester that fills
 * the queue must not be able to delay the action.
 */
export const ALLOWED_LASTS_MS = 2 * 60_000;

/** The approval of an action ended before it was sent. */
export class NoLiveApproval extends Error {
  override name = 'NoLiveApproval';
}

/** Records that an attempt is about to be sent, and spends its approval in the same transaction. */
export function recordDispatch(context: Context, live: LiveActions, row: ActionRow): ActionRow | undefined {
  const attempt = row.attempt + 1;
  return live.change(row, {
    event: { kind: 'dispatched', attempt },
    patch: { startedAtMs: context.clock.nowMs(), details: 'Running.' },
    metadata: { attempt },
    also: (atMs) => consumeApproval(context, row, atMs),
  });
}

/** Whether something other than a prompt of its own or the rules alone lets it through. */
export function isApproved({ grantId, planId }: ActionRow): boolean {
  return grantId !== undefined || planId !== undefined;
}

export function consumeApproval({ store }: Context, row: ActionRow, atMs: number): void {
  if (row.grantId !== undefined) {
    if (!store.grants.use(row.grantId, atMs))
      throw new NoLiveApproval(`the grant of action ${row.id} is no longer live`);
    return;
  }
  if (row.planId !== undefined) {
    giveLeave(store, row, atMs);
    consumeStep(store, row, { planId: row.planId, atMs });
    return;
  }
  const approval = store.confirmations.findByAction(row.id);
  if (approval === undefined) return;
  giveLeave(store, row, atMs);
  const isFresh = approval.decidedAtMs !== undefined && atMs - approval.decidedAtMs < ALLOWED_LASTS_MS; // guard A12-6
  // guard A6-3
  if (!isFresh || approval.actionDigest !== row.digest || !store.confirmations.consume(approval.id, atMs)) {
    throw new NoLiveApproval(`action ${row.id} has no live approval for its current digest`);
  }
}

/** Who was allowed something on a machine may act there from then on. */
function giveLeave({ devices, machines, journal }: Context['store'], row: ActionRow, atMs: number): void {
  const { userId, deviceId, id: actionId } = row;
  const machine = devices.machineOf(deviceId);
  if (machine === LOCAL || !machines.giveLeave(userId, machine, atMs)) return;
  journal.append(atMs, { kind: 'machine.opened', userId, deviceId, actionId, metadata: { machine } });
}

/** Spends the approval of a plan step by step. A step that is harmless to do twice may use it again. */
function consumeStep(
  { confirmations }: Context['store'],
  { id: actionId, stepId = '', digest, effectClass }: ActionRow,
  spent: { planId: string; atMs: number },
): void {
  const mayRepeat = effectClass !== 'once';
  if (!confirmations.consumeStep({ ...spent, stepId, actionId, digest, mayRepeat }))
    throw new NoLiveApproval(`the plan of action ${actionId} no longer allows it`);
}

type TargetParams = Pick<PerformParams, 'targets' | 'keepAt' | 'contents'>;

/** The targets of an action as they were judged, and further facts for an action on files. */
export function createTargetParams({ store }: Context) {
  const places = ownPlaces(store.path).map(asSecret);

  return (row: ActionRow, assessment: Assessment | undefined): TargetParams => {
    const { targets = [] } = row;
    const files = filesIn(targets);
    if (files.length === 0) return targets.length === 0 ? {} : { targets: [...targets] };
    const keepAt = row.effectClass === 'once' ? { keepAt: store.formerVersions.pathOf(row.id) } : {};
    const held = places.filter(({ realPath }) => files.some((file) => isWithinOwn(realPath, file.realPath)));
    return {
      targets: [...targets, ...held.map((file) => ({ kind: 'path' as const, path: file.path, file }))],
      ...keepAt,
      ...contentsOf(store, row, assessment?.artifactId),
    };
  };
}

/**
 * The agent does not know where the daemon keeps its data and where its program is. It hides them from a script whose folder holds
 * them, and neither lists nor moves them.
 */
function asSecret({ path, name }: OwnPlace): ResolvedPath {
  const { dev, ino } = statSync(dirname(path), { bigint: true });
  const folder = { device: String(dev), inode: String(ino) };
  return { path, realPath: path, kind: 'folder', folder, secret: name };
}

/** The artifact that the action names, if it belongs to the same user and is still kept. */
function contentsOf(
  store: Context['store'],
  { userId }: ActionRow,
  artifactId: string | undefined,
): Pick<TargetParams, 'contents'> {
  const artifact = artifactId === undefined ? undefined : store.artifacts.find(userId, artifactId);
  if (artifact === undefined || artifact.removedAtMs !== undefined) return {};
  return { contents: { path: store.artifactFiles.pathOf(artifact.id), sha256: artifact.sha256 } };
}

/** The frame's parameters for an attempt whose dispatch is recorded. */
export function performParams(
  row: ActionRow,
  {
    capabilities,
    ...facts
  }: { capabilities: Capabilities } & TargetParams & Pick<PerformParams, 'evidence' | 'dashboards'>,
): PerformParams {
  return {
    actionId: row.id,
    attempt: row.attempt,
    actionType: row.actionType,
    parameters: row.parameters ?? {},
    requester: row.userId,
    capabilities,
    effectClass: row.effectClass,
    deadlineMs: row.timeoutMs,
    digest: row.digest,
    ...facts,
  };
}

/** Ends an action whose approval is over. */
export function recordUnapproved(live: LiveActions, row: ActionRow): void {
  live.change(row, {
    event: { kind: 'expired' },
    patch: { details: 'Its approval ended before it could be sent; nothing was done. Submit it again.' },
  });
}
