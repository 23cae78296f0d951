import type { Display } from '../../contract/device.ts';
import { type PerformParams, PICTURE_PLACE } from '../../contract/link.ts';
import type { Target } from '../../contract/targets.ts';
import { isInput } from '../../domain/catalogue.ts';
import { criticalLabel } from '../../domain/critical-controls.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { AttemptOutcome, Received } from '../agent/port.ts';
import type { AgentQuestions } from '../agent/questions.ts';
import type { Clock, Context } from '../context.ts';
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
  return isPassword || criticalLabel(name)?.family === 'signs in'; // guard N10-2
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

/** The times between the looks after an input. Nothing tells whether a page is still going on, so the last one counts. */
export const BETWEEN_LOOKS_MS = [250, 500, 500, 750];

type Parts = { ask: AgentQuestions['ask']; displays(): readonly Display[] };

/** Takes the pictures after inputs, when the screen has had the time to show their effect. */
export function createAfterPictures(clock: Pick<Clock, 'after'>, { ask, displays }: Parts) {
  const underWay = new Set<() => void>();

  /** Resolves after that time, or as soon as the looks have ended. */
  function pause(delayMs: number, ends: AbortSignal): Promise<void> {
    if (ends.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = clock.after(delayMs, resolve);
      ends.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  }

  return {
    /**
     * The latest picture from the two seconds after an input, and from before the next effect: nobody waits for it. The first look is
     * taken at once, because the next input may begin as soon as this one is recorded.
     */
    async after(row: Pick<ActionRow, 'actionType' | 'targets'>): Promise<Pictures> {
      const { evidence: parameters } = evidenceParams(row, displays());
      if (parameters === undefined) return [];
      const ending = new AbortController();
      const end = () => ending.abort();
      const { signal } = ending;
      const look = async () => {
        const outcome = await ask({ type: PICTURE_PLACE, parameters });
        return outcome?.ok === true ? outcome.attachments.map(asAfter) : undefined;
      };
      underWay.add(end);
      let latest = (await look()) ?? [];
      for (const delayMs of BETWEEN_LOOKS_MS) {
        await pause(delayMs, signal);
        if (signal.aborted) break;
        const next = await look();
        // What was seen while something else began is not the effect of this input.
        if (signal.aborted) break;
        latest = next ?? latest;
      }
      underWay.delete(end);
      return latest;
    },
    /** Something begins that may change the screen, or the agent is gone: what was seen until now counts. */
    endLooks(): void {
      for (const end of underWay) end();
    },
  };
}

function asAfter({ announced, bytes }: Pictures[number]): Pictures[number] {
  return { announced: { ...announced, role: 'after' }, bytes };
}
