import type { Display } from '../../contract/device.ts';
import type { PerformParams } from '../../contract/link.ts';
import type { Target } from '../../contract/targets.ts';
import { isInput } from '../../domain/catalogue.ts';
import { criticalLabel } from '../../domain/critical-controls.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { AttemptOutcome, Received } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { cropOf } from '../targets/crop.ts';

export type Pictures = readonly Received[];

/**
 * The place that the agent captures before and after an input. Other actions have none. A password field is not captured,
 * and neither is a control for signing in, which may stand beside a password or show it.
 */
export function evidenceParams(
  { actionType, targets = [] }: Pick<ActionRow, 'actionType' | 'targets'>,
  displays: readonly Display[],
): Pick<PerformParams, 'evidence'> {
  if (!isInput(actionType) || targets.some(isPrivate)) return {};
  const { crop } = cropOf(targets, displays);
  if (crop === undefined) return {};
  const { region, whole } = crop;
  return { evidence: { region, whole } };
}

function isPrivate(target: Target): boolean {
  if (!('control' in target)) return false;
  const { isPassword, name } = target.control;
  return isPassword || criticalLabel(name)?.family === 'signs in';
}

/** An outcome as its requester gets it, and the pictures that only the person gets. */
export function partedByRole(outcome: AttemptOutcome): { results: AttemptOutcome; evidence: Pictures } {
  if (!outcome.ok) return { results: outcome, evidence: (outcome.attachments ?? []).filter(isEvidence) };
  const attachments = outcome.attachments.filter((each) => !isEvidence(each));
  return { results: { ...outcome, attachments }, evidence: outcome.attachments.filter(isEvidence) };
}

function isEvidence({ announced }: Received): boolean {
  return announced.role !== undefined;
}

/** Keeps pictures for the person. One that cannot be kept is missing, and the action is as it was. */
export async function keepEvidence(
  { store, clock, log }: Context,
  { id, userId }: Pick<ActionRow, 'id' | 'userId'>,
  pictures: Pictures,
): Promise<void> {
  if (pictures.length === 0) return;
  try {
    await Promise.all(pictures.map(({ announced, bytes }) => store.artifactFiles.write(announced.id, bytes)));
    const createdAtMs = clock.nowMs();
    store.write('relaxed', () => {
      for (const { announced } of pictures) {
        const row: ArtifactRow = { ...announced, actionId: id, userId, createdAtMs };
        store.artifacts.insert(row);
        const metadata = { sha256: row.sha256 };
        store.journal.append(createdAtMs, { kind: 'artifact.kept', userId, actionId: id, metadata });
      }
    });
  } catch (error) {
    // The sweep removes files that no row names.
    log.warn({ err: error, actionId: id }, 'the pictures of an input could not be kept');
  }
}
