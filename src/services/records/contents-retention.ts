import { encodeTime } from 'ulid';
import type { Context } from '../context.ts';

/** How long parameters and results are kept after an action has ended. */
export const CONTENTS_KEPT_MS = 24 * 3_600_000;
const BATCH = 100;
const PROGRESS = 'contentsForgotten';

/** Every action up to `upToId` was visited; `waiting` are the actions that had not ended, or not long enough ago. */
type Progress = { upToId: string; waiting: string[] };

/**
 * Deletes the parameters and results of some actions that ended long enough ago; returns whether there may be more. It
 * continues after the last visited action, so millions of old actions cost nothing.
 */
export function forgetContents({ store }: Context, nowMs: number): boolean {
  const finishedBeforeMs = nowMs - CONTENTS_KEPT_MS;
  return store.write('relaxed', () => {
    const { upToId, waiting } = readProgress(store);
    const next = store.actions.idsBetween(upToId, firstIdOf(finishedBeforeMs), BATCH);
    if (waiting.length + next.length === 0) return false;
    const progress: Progress = {
      upToId: next.at(-1) ?? upToId,
      waiting: store.actions.forgetContents([...waiting, ...next], finishedBeforeMs),
    };
    store.settings.set(PROGRESS, progress);
    return next.length === BATCH;
  });
}

function readProgress(store: Context['store']): Progress {
  const progress = store.settings.get(PROGRESS) as Progress | undefined;
  return progress ?? { upToId: firstIdOf(0), waiting: [] };
}

function firstIdOf(atMs: number): string {
  return `act_${encodeTime(Math.max(0, atMs), 10)}`;
}
