import { encodeTime } from 'ulid';
import type { Health } from '../../contract/health.ts';
import { UNDO_KEPT_MS } from '../../contract/times.ts';
import type { Context } from '../context.ts';
import type { ArtifactKeeper } from './artifacts.ts';
import { createContentsQuota, createFormerVersionsQuota } from './contents-quota.ts';
import type { Idempotency } from './idempotency.ts';

/** The limits in bytes of everything that is kept for a day: results, artifacts, and former versions of files. */
export function createStorageLimits(context: Context, { expire }: Pick<ArtifactKeeper, 'expire'>) {
  const contents = createContentsQuota(context, { removeArtifacts: expire });
  const formerVersions = createFormerVersionsQuota(context);
  return {
    /** Resolves when no more than the limits is kept. */
    async enforce(): Promise<void> {
      await contents.enforce();
      await formerVersions.enforce();
    },
    storage: (): Health['storage'] => ({ ...contents.storage(), formerVersions: formerVersions.storage() }),
    end(): void {
      contents.end();
      formerVersions.end();
    },
  };
}

type Parts = {
  idempotency: Pick<Idempotency, 'sweep'>;
  tasks: { sweep(nowMs: number): void };
  artifacts: Pick<ArtifactKeeper, 'sweep'>;
  storageLimits: Pick<ReturnType<typeof createStorageLimits>, 'enforce'>;
};

/** How long parameters and results are kept after an action has ended. */
export const CONTENTS_KEPT_MS = 24 * 3_600_000;
const BATCH = 100;
const PROGRESS = 'contentsForgotten';

const DAY_MS = 86_400_000;
const RAW_KEPT_MS = 90 * DAY_MS; // guard E-12
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

/** Removes everything that is kept for a limited time or in a limited size. */
export function createSweep(context: Context, parts: Parts): () => Promise<void> {
  const { idempotency, tasks, artifacts, storageLimits } = parts;
  const { nowMs, note } = createRetentionTime(context);
  const retention = createRetention(context, { nowMs });
  return async () => {
    // The files may be those of another daemon.
    if (context.store.isMoved()) return;
    note();
    idempotency.sweep();
    tasks.sweep(nowMs());
    await retention();
    await artifacts.sweep(nowMs());
    await storageLimits.enforce();
  };
}

const STORED = 'retentionTimeMs';

/** After a start, the time of retention catches up by a day for each hour. */
const CATCH_UP = 24;

/**
 * The time by which retention judges the age of records. While the daemon runs it is the time. Between two runs the computer's
 * clock may have been set to any time. So after a start it is at most a day after the last time that `note` stored.
 */
function createRetentionTime({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  const startedAtMs = clock.nowMs();
  const before = store.settings.get(STORED);
  const mostMs = typeof before === 'number' ? before + DAY_MS : Number.POSITIVE_INFINITY;
  const nowMs = (): number => Math.min(clock.nowMs(), mostMs + CATCH_UP * Math.max(0, clock.nowMs() - startedAtMs)); // guard T1-2
  return { nowMs, note: (): void => store.write('relaxed', () => store.settings.set(STORED, nowMs())) };
}
