import { randomBytes } from 'node:crypto';
import type { DashboardProgram } from '../../contract/own-window.ts';
import type { ConsoleSession, Session, SessionEnd } from '../../contract/session.ts';
import type { ProofFault } from '../../contract/session-proof.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import { createDashboardPrograms, type DashboardPrograms } from '../targets/dashboard-programs.ts';
import { tryToStore, untilStored } from '../work/storage-failure.ts';
import { createKeptSessions, createLiveSessions } from './live-sessions.ts';
import { isPageKey, type SignedCall } from './session-proofs.ts';
import { codeReused, codeWrong, publicKeyWrong, sessionUnknown, tooDeep, tooManyWrong } from './session-refusals.ts';
import { createSignInCodes, digestOf, type SpentCode } from './sign-in-codes.ts';

/** How many sessions may follow from one code of the daemon, each opened by a code of the one before. */
const LONGEST_LINEAGE = 8;
const UNSIGNED: SignedCall = { method: '', target: '', proof: undefined };
const PAST_KEYS = { name: 'consoleSessionDigests', most: 100 };

/** The program that asks for a session, where the daemon can find out by itself, and the public key of its page. */
export type SessionOrigin = { program?: string | undefined; publicKey?: string | undefined };

/** `stolen`: to be told when the sessions of a code that two programs had are ended, with the time at which the first of them began. */
type Parts = { programs?: DashboardPrograms; stolen?: { ended(openedAtMs: number): void } };

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>;

/**
 * How the person signs in at the dashboard, and their sessions. These live in memory, and between two runs as the digests of their
 * keys, which open nothing. The digests of the latest keys are also stored: they tell a page that was open before from a program that guesses.
 */
export function createConsoleSessions(context: Context, { programs = createDashboardPrograms(), stolen }: Parts = {}) {
  const { store, clock, log, newId } = context;
  const codes = createSignInCodes(clock);
  const live = createLiveSessions(clock, programs, ({ lineage }) => codes.endMadeAfter(String(lineage.at(-1)))); // guard E2-28
  const { takeUp, keep } = createKeptSessions(context, live);
  let past = pastDigests(store);

  function journal(event: JournalEvent, also: () => void = () => undefined): void {
    store.write('relaxed', () => {
      store.journal.append(clock.nowMs(), event);
      also();
    });
  }

  /** The person signs in and out also while nothing can be stored; it is recorded as soon as that works again. */
  const journalInTime = (...record: Parameters<typeof journal>): void => untilStored(context, () => journal(...record));

  /** Any program may cause these, so on a full disk they must not pile up. */
  const tryToJournal = (event: JournalEvent): void =>
    tryToStore(context, 'a refused sign-in could not be journaled', () => journal(event));

  /** Two programs had a code that is entered twice. Which of them was the person cannot be known, so no session stays. */
  function refused({ kind, digest, isLimited, isFirst }: Exclude<SpentCode, { kind: 'good' }>): Refusal {
    codes.endMadeAfter(digest);
    const { ids: sessionIds, firstAtMs } = live.endWhere(({ lineage }) => lineage.includes(digest), 'code_reused'); // guard A10-1
    if (sessionIds.length > 0) {
      stolen?.ended(firstAtMs);
      log.warn({ sessionIds }, 'a sign-in code was entered a second time, so the sessions that it led to were ended');
      journalInTime({ kind: 'session.code_reused', metadata: { sessionIds } });
      return codeReused;
    }
    if (isLimited) return tooManyWrong;
    const metadata = { ...(kind === 'spent' && { spent: true }), ...(kind === 'wrong' && isFirst && { first: true }) };
    tryToJournal({ kind: 'session.refused', metadata });
    return codeWrong;
  }

  function endByPerson(matches: Parameters<typeof live.endWhere>[0]): number {
    const { ids: sessionIds } = live.endWhere(matches, 'ended_by_person');
    if (sessionIds.length > 0) journalInTime({ kind: 'session.ended', metadata: { sessionIds } });
    return sessionIds.length;
  }

  return {
    /** A fresh one-use code, valid for ten minutes; the one before it, if unused, ends. */
    createCode: (): string => codes.create(),
    /** The same, asked for in the session of this key. */
    createCodeIn(key: string): string | Refusal {
      const lineage = live.get(digestOf(key))?.lineage;
      if (lineage === undefined) return sessionUnknown;
      return lineage.length < LONGEST_LINEAGE ? codes.create(lineage) : tooDeep;
    },
    /** Whether a code is good now, so that a look at the screen could show it. */
    isCodeGood: (): boolean => codes.isGood(),
    /** A requester may have seen the code that is good now, so it ends. */
    codeSeen(userId: string): void {
      if (!codes.isGood()) return;
      codes.end();
      log.warn(
        { userId },
        'the sign-in code has ended, because a look at the screen could have shown it; press Enter here, or call `handrail login`, for a fresh one',
      );
      journalInTime({ kind: 'session.code_seen', userId });
    },
    /** Takes up the sessions of the run before; to be called once, at the start. */
    takeUp,
    /** Keeps the sessions for the next run; to be called after the last call was served. */
    keep,
    /** Exchanges a one-use code for a session key. */
    open(code: string, { program, publicKey }: SessionOrigin = {}): Session | Refusal {
      if (publicKey !== undefined && !isPageKey(publicKey)) return publicKeyWrong;
      const spent = codes.spend(code);
      if (spent.kind !== 'good') return refused(spent);
      const key = randomBytes(32).toString('base64url');
      const id = newId('ses');
      const { idleUntilMs } = live.open(digestOf(key), { id, lineage: spent.lineage, program }, publicKey);
      past = [...past, digestOf(key)].slice(-PAST_KEYS.most);
      journalInTime({ kind: 'session.opened', metadata: { sessionId: id } }, () =>
        store.settings.set(PAST_KEYS.name, past),
      );
      return { key, expiresAt: timestamp(idleUntilMs) };
    },
    /** The program at a connection on which the key of a session came. */
    shownIn: (key: string, program: DashboardProgram): void => live.shownIn(digestOf(key), program),
    /** Whether a key is of a live session that takes this call; using it keeps the session alive, and spends the proof of the call. */
    isOpen: (key: string, call = UNSIGNED): boolean => live.use(digestOf(key), key, call),
    /** Why a live session does not take a call. Spends nothing. */
    proofFault: (key: string, call: SignedCall): ProofFault | undefined => live.proofFault(digestOf(key), key, call),
    /** Whether a key is, or was, of one of the latest sessions. */
    wasOpen: (key: string): boolean => past.includes(digestOf(key)),
    /** Why the session of this key is over, for the latest that ended in this run. */
    whyEnded: (key: string): SessionEnd | undefined => live.whyEnded(digestOf(key)),
    /** The live sessions, the latest first. `key` is the session that asks. */
    list: (key: string): ConsoleSession[] => live.list(digestOf(key)),
    /** The person ends one session by its id. */
    endById(sessionId: string): undefined | Refusal {
      const count = endByPerson(({ id }) => id === sessionId);
      return count === 0 ? { refused: 'not_found', detail: `There is no session ${sessionId}.` } : undefined;
    },
    /** The person ends every session but the one of this key. Answers how many. */
    endOthers: (key: string): number => endByPerson((_session, digest) => digest !== digestOf(key)),
    /** The person signs out: from now on the key is refused. */
    close(key: string): void {
      live.end(digestOf(key), 'signed_out');
      journalInTime({ kind: 'session.closed' });
    },
    /** Aborts when the session of this key ends. */
    signal: (key: string): AbortSignal => live.get(digestOf(key))?.ended.signal ?? AbortSignal.abort(),
  };
}

function pastDigests(store: Context['store']): string[] {
  const stored = store.settings.get(PAST_KEYS.name);
  return Array.isArray(stored) ? stored.filter((digest) => typeof digest === 'string') : [];
}
