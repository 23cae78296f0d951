import type { Display } from '../../contract/device.ts';
import type { PerformParams } from '../../contract/link.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { cropOf } from '../targets/crop.ts';

type Pictures = Extract<AttemptOutcome, { ok: true }>['attachments'];

/** The part of the screen whose pictures the agent takes before and after an input; none of any other action. */
export function evidenceParams(
  { actionType, targets }: Pick<ActionRow, 'actionType' | 'targets'>,
  displays: readonly Display[],
): Pick<PerformParams, 'evidence'> {
  const { crop } = CATALOGUE.get(actionType)?.isInput === true ? cropOf(targets, displays) : {};
  return crop === undefined ? {} : { evidence: crop.region };
}

/** An outcome as its requester gets it, and the pictures that only the person gets. */
export function partedByRole(outcome: AttemptOutcome): { results: AttemptOutcome; evidence: Pictures } {
  if (!outcome.ok) return { results: outcome, evidence: [] };
  const [evidence, attachments] = [true, false].map((wanted) =>
    outcome.attachments.filter(({ announced }) => (announced.role !== undefined) === wanted),
  );
  return { results: { ...outcome, attachments: attachments ?? [] }, evidence: evidence ?? [] };
}

/** Keeps pictures for the person. One that cannot be kept is missing, and the action is as it was. */
export async function keepEvidence(context: Context, { id, userId }: ActionRow, pictures: Pictures): Promise<void> {
  const { store, clock, log } = context;
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
