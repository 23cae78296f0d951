import type { Display } from '../../contract/device.ts';
import { EVIDENCE_MANNER } from '../../contract/evidence.ts';
import type { PerformParams } from '../../contract/link.ts';
import { takeScreenshot } from '../../domain/catalogue/take-screenshot.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { AgentQuestions } from '../agent/questions.ts';
import type { Context } from '../context.ts';
import { cropOf } from '../targets/crop.ts';

export type Pictures = Extract<AttemptOutcome, { ok: true }>['attachments'];

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
  const isEvidence = ({ announced }: Pictures[number]) => announced.role !== undefined;
  const attachments = outcome.attachments.filter((each) => !isEvidence(each));
  return { results: { ...outcome, attachments }, evidence: outcome.attachments.filter(isEvidence) };
}

/** Has the agent take the picture after an input, at once: the next input may begin as soon as this one is recorded. */
export async function pictureAfter(
  ask: AgentQuestions['ask'],
  { targets }: Pick<ActionRow, 'targets'>,
  displays: readonly Display[],
): Promise<Pictures> {
  const { crop } = cropOf(targets, displays);
  if (crop === undefined) return [];
  const parameters = { region: crop.region, ...EVIDENCE_MANNER };
  const outcome = await ask({ type: takeScreenshot.name, parameters });
  if (outcome?.ok !== true) return [];
  return outcome.attachments.map(({ announced, bytes }) => ({ announced: { ...announced, role: 'after' }, bytes }));
}

type Kept = { row: Pick<ActionRow, 'id' | 'userId'>; before: Pictures; after: Promise<Pictures> };

/** Keeps pictures for the person. One that cannot be kept is missing, and the action is as it was. */
export async function keepEvidence(context: Context, { row: { id, userId }, before, after }: Kept): Promise<void> {
  const { store, clock, log } = context;
  try {
    const pictures = [...before, ...(await after)];
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
