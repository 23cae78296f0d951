import { encodeTime } from 'ulid';
import { UNDO_KEPT_MS } from '../../contract/times.ts';
import type { Context } from '../context.ts';

/** How long parameters and results are kept after an action has ended. */
export const CONTENTS_KEPT_MS = 24 * 3_600_000;
const BATCH = 100;
const PROGRESS = 'contentsForgotten';

const DAY_MS = 86_400_000;
const RAW_KEPT_MS = 90 * DAY_MS;
/** The README promises this number. */
export const MOST_ACTIONS = 10_000_000;
/** Actions of the last day stay, in any number: their keys and contents are still in use. */
const NEVER_WITHIN_MS = DAY_MS + 3_600_000;
/** The rows of one step. After a long absence the work is spread over some minutes. */
const MOST_STEPS = 50;

/**
 * Removes old records. Contents go after a day. Actions, tasks and their journal go after 90 days or beyond ten million. The sums
 * of minutes, hours and days have limits of their own. Ended actions are counted into their groups first. Each step is short, and
 * calls are answered in between. `nowMs` is the time by which their age is judged.
 */
export function createRetention(
  context: Context,
  { mostActions = MOST_ACTIONS, nowMs = context.clock.nowMs } = {},
): () => Promise<void> {
  const { store } = context;

  function pruneRaw(): boolean {
    return store.pruneRaw(limits()) > 0;
  }

  function pruneJournal(): boolean {
    return store.pruneJournal(store.rawKeptFromMs(limits())) > 0;
  }

  function countGroups(): boolean {
    return store.write('relaxed', store.actionGroups.fold);
  }

  function noteEnded(): boolean {
    return store.write('relaxed', store.actions.noteEnded);
  }

  function pruneCounts(): boolean {
    store.write('relaxed', () => {
      store.recording.prune(nowMs());
      store.actionGroups.prune(nowMs());
      store.callingPrograms.forgetBefore(nowMs() - RAW_KEPT_MS);
    });
    return false;
  }

  function limits() {
    const atMs = nowMs();
    return { keptFromMs: atMs - RAW_KEPT_MS, mostActions, neverAfterMs: atMs - NEVER_WITHIN_MS };
  }

  function forget(): boolean {
    return forgetContents(context, nowMs());
  }

  async function retain(): Promise<void> {
    await store.formerVersions.removeBefore(nowMs() - UNDO_KEPT_MS);
    store.write('relaxed', () => store.undos.removeBefore(nowMs()));
    for (const step of [forget, noteEnded, countGroups, pruneRaw, pruneJournal, pruneCounts]) {
      for (let count = 0; count < MOST_STEPS && step(); count += 1) await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
  }

  let atWork: Promise<void> | undefined;
  return () => {
    atWork ??= retain().finally(() => {
      atWork = undefined;
    });
    return atWork;
  };
}

/** Every action up to `upToId` was visited; `waiting` are the actions that had not ended, or not long enough ago. */
type Progress = { upToId: string; waiting: string[] };

/**
 * Deletes the parameters and results of some actions that ended long enough ago; returns whether there may be more. It
 * continues after the last visited action, so millions of old actions cost nothing.
 */
function forgetContents({ store }: Context, nowMs: number): boolean {
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
