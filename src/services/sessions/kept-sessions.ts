import { KEPT_SESSIONS } from '../../store/database/renewal.ts';
import type { Context } from '../context.ts';
import { isStorageFailure, tryToStore, untilStored } from '../work/storage-failure.ts';
import type { createLiveSessions, RestedSession } from './live-sessions.ts';
import { isPageKey } from './session-proofs.ts';

const DIGEST = /^[0-9a-f]{64}$/;

type Live = Pick<ReturnType<typeof createLiveSessions>, 'rest' | 'resume'>;

export type KeptSessions = { takeUp(): void; keep(): void };

/**
 * Sessions over a restart. A daemon that ends in order stores the digests of their keys after its last call, and the next daemon takes them up once. So a session that was ended never comes back, and after a crash none does. A digest opens nothing.
 */
export function createKeptSessions(context: Context, live: Live): KeptSessions {
  const { store, clock } = context;
  const forget = () => store.write('durable', () => store.settings.set(KEPT_SESSIONS, []));
  return {
    takeUp() {
      const kept = keptIn(store.settings.get(KEPT_SESSIONS));
      if (kept.length === 0) return;
      try {
        forget();
      } catch (error) {
        if (!isStorageFailure(error)) throw error;
        // Sessions that are still stored could come back a second time, after they were ended.
        untilStored(context, forget);
        return;
      }
      for (const session of kept)
        live.resume({ ...session, lastUsedAtMs: Math.min(session.lastUsedAtMs, clock.nowMs()) });
    },
    keep: () =>
      tryToStore(context, 'the sessions of the dashboard could not be kept', () =>
        store.write('durable', () => store.settings.set(KEPT_SESSIONS, live.rest())),
      ),
  };
}

function keptIn(stored: unknown): RestedSession[] {
  return Array.isArray(stored) ? stored.filter(isRested) : [];
}

function isRested(stored: unknown): stored is RestedSession {
  if (typeof stored !== 'object' || stored === null) return false;
  const { digest, id, lineage, program, pageKey, openedAtMs, lastUsedAtMs }: Partial<Record<string, unknown>> = {
    ...stored,
  };
  return (
    isDigest(digest) &&
    typeof id === 'string' &&
    Array.isArray(lineage) &&
    lineage.length > 0 &&
    lineage.every(isDigest) &&
    (program === undefined || typeof program === 'string') &&
    (pageKey === undefined || isKept(pageKey)) &&
    Number.isSafeInteger(openedAtMs) &&
    Number.isSafeInteger(lastUsedAtMs)
  );
}

/** Whether it is the key of a page, with the number of its last call. */
function isKept(pageKey: unknown): boolean {
  const { publicKey, after }: Partial<Record<string, unknown>> = Object(pageKey);
  return typeof publicKey === 'string' && isPageKey(publicKey) && typeof after === 'string' && /^\d+$/.test(after);
}

function isDigest(text: unknown): boolean {
  return typeof text === 'string' && DIGEST.test(text);
}
