import type { DashboardProgram } from '../../contract/own-window.ts';
import type { ConsoleSession, SessionEnd } from '../../contract/session.ts';
import type { ProofFault } from '../../contract/session-proof.ts';
import { KEPT_SESSIONS } from '../../store/database/renewal.ts';
import type { Clock, Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';
import type { DashboardPrograms } from '../targets/dashboard-programs.ts';
import { isStorageFailure, tryToStore, untilStored } from '../work/storage-failure.ts';
import { createProofCheck, isPageKey, type PageKey, type ProofCheck, type SignedCall } from './session-proofs.ts';
import type { Lineage } from './sign-in-codes.ts';

const SESSION_IDLE_MS = 12 * 3_600_000;
const SESSIONS_AT_ONCE = 32;
const ENDS_REMEMBERED = 100;

type NewSession = { id: string; lineage: Lineage; program: string | undefined };

/** A session without its listeners, under the digest of its key. */
type RestedSession = NewSession & {
  digest: string;
  openedAtMs: number;
  lastUsedAtMs: number;
  pageKey?: PageKey;
};

/** `firstAtMs`: when the first of them was opened. */
type EndedSessions = { ids: string[]; firstAtMs: number };

/** `proofs`: where the session belongs to a page with a key of its own. */
type LiveSession = Omit<RestedSession, 'digest' | 'pageKey'> & {
  ended: AbortController;
  proofs: ProofCheck | undefined;
};

/** The open sessions, in memory, under the digests of their keys. `ended` is called for each session that ends. */
export function createLiveSessions(clock: Clock, programs: DashboardPrograms, ended: (session: NewSession) => void) {
  const sessions = new Map<string, LiveSession>();
  const ends = new Map<string, SessionEnd>();

  function end(digest: string, why: SessionEnd): void {
    const session = sessions.get(digest);
    if (session === undefined) return;
    sessions.delete(digest); // guard A8-3
    noteEnd(ends, [digest, why]);
    ended(session);
    programs.ended(session.id);
    session.ended.abort();
  }

  /** An idle session gets no calls, so a timer tells its listeners that it is over. */
  function endWhenIdle(digest: string, session: LiveSession): void {
    clock.after(idleUntilMs(session) - clock.nowMs(), () => {
      if (clock.nowMs() >= idleUntilMs(session)) end(digest, 'idle');
      else if (sessions.has(digest)) endWhenIdle(digest, session);
    });
  }

  function makeRoom(): void {
    const [oldest] = [...sessions].toSorted(([, one], [, other]) => one.lastUsedAtMs - other.lastUsedAtMs);
    if (oldest !== undefined && sessions.size >= SESSIONS_AT_ONCE) end(oldest[0], 'too_many');
  }

  function admit(digest: string, live: LiveSession): void {
    sessions.set(digest, live);
    programs.began(live.id);
    endWhenIdle(digest, live);
  }

  return {
    /** Takes up a session of the run before, unless its time is over. */
    resume({ digest, pageKey, ...session }: RestedSession): void {
      const live = { ...session, ended: new AbortController(), proofs: pageKey && createProofCheck(pageKey) }; // guard A27-5
      if (clock.nowMs() < idleUntilMs(live)) admit(digest, live);
    },
    /** The sessions, for the next run. */
    rest: (): RestedSession[] =>
      [...sessions].map(([digest, { ended: _, proofs, ...session }]) => ({
        digest,
        ...session,
        pageKey: proofs?.rest(),
      })),
    /** Returns when the session ends if it is not used, in epoch ms. */
    open(digest: string, session: NewSession, publicKey?: string): { idleUntilMs: number } {
      makeRoom();
      const nowMs = clock.nowMs();
      const proofs = publicKey === undefined ? undefined : createProofCheck({ publicKey, after: '0' });
      const live = { ...session, openedAtMs: nowMs, lastUsedAtMs: nowMs, ended: new AbortController(), proofs };
      admit(digest, live);
      return { idleUntilMs: idleUntilMs(live) };
    },
    /** Why a call is not one of the page that the session belongs to. */
    proofFault: (digest: string, key: string, call: SignedCall): ProofFault | undefined =>
      sessions.get(digest)?.proofs?.fault(key, call),
    /** Whether a session is open to this call, which then counts as a use of it. Its proof is good once. */
    use(digest: string, key: string, call: SignedCall): boolean {
      const session = sessions.get(digest);
      if (session === undefined || session.proofs?.fault(key, call) !== undefined) return false; // guard A27-1
      // guard E2-27
      if (clock.nowMs() >= idleUntilMs(session)) {
        end(digest, 'idle');
        return false;
      }
      session.proofs?.spend(call);
      session.lastUsedAtMs = clock.nowMs();
      return true;
    },
    shownIn(digest: string, program: DashboardProgram): void {
      const session = sessions.get(digest);
      if (session !== undefined) programs.shownIn(session.id, program);
    },
    get: (digest: string): LiveSession | undefined => sessions.get(digest),
    end,
    /** Ends the matching sessions, and returns them. */
    endWhere(matches: (session: NewSession, digest: string) => boolean, why: SessionEnd): EndedSessions {
      const found = [...sessions].filter(([digest, session]) => matches(session, digest));
      for (const [digest] of found) end(digest, why);
      const firstAtMs = Math.min(...found.map(([, { openedAtMs }]) => openedAtMs));
      return { ids: found.map(([, { id }]) => id), firstAtMs };
    },
    whyEnded: (digest: string): SessionEnd | undefined => ends.get(digest),
    /** The latest first. `current` is the digest of the session that asks. */
    list: (current: string): ConsoleSession[] =>
      [...sessions].map(([digest, session]) => viewOf(session, digest === current)).toReversed(),
  };
}

function idleUntilMs({ lastUsedAtMs }: LiveSession): number {
  return lastUsedAtMs + SESSION_IDLE_MS;
}

function noteEnd(ends: Map<string, SessionEnd>, [digest, why]: readonly [string, SessionEnd]): void {
  ends.set(digest, why);
  const [oldest] = ends.keys();
  if (ends.size > ENDS_REMEMBERED && oldest !== undefined) ends.delete(oldest);
}

function viewOf(session: LiveSession, isCurrent: boolean): ConsoleSession {
  const { id, program } = session;
  return {
    id,
    openedAt: timestamp(session.openedAtMs),
    lastUsedAt: timestamp(session.lastUsedAtMs),
    expiresAt: timestamp(idleUntilMs(session)),
    isCurrent,
    program,
  };
}

const DIGEST = /^[0-9a-f]{64}$/;

type Live = Pick<ReturnType<typeof createLiveSessions>, 'rest' | 'resume'>;

type KeptSessions = { takeUp(): void; keep(): void };

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
        forget(); // guard A8-4
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
    lineage.length > 0 && // guard A8-5
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
