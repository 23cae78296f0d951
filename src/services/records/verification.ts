import type { AuditResult } from '../../contract/settings.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import { BROKEN, NOTED_BROKEN } from '../../store/journal/audit.ts';
import type { Context } from '../context.ts';

/** Not while the daemon has other things to begin with. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 24 * 3_600_000;

/** Less than the time between two of the daily checks, so that each of them says it again. */
const SAID_ONCE_IN_MS = 23 * 3_600_000;
const SAID = 'journalBreakSaid';

/** The last journaled break: its details, when it was journaled, and the row. */
type Said = { brokenAt: number | null; reason: string | null; atMs: number; seq: number };

/**
 * Verifies the journal, and journals a break, so that it is known even if nobody is watching. The same break is journaled
 * once in 23 hours, so that repeated checks do not flood the journal.
 */
export async function verifyJournal({ store, clock }: Context, { atLeisure = false } = {}): Promise<AuditResult> {
  const result = await store.audit({ atLeisure });
  const atMs = clock.nowMs();
  if (result.valid || isSaid(store, result, atMs - SAID_ONCE_IN_MS)) return result;
  const metadata = { brokenAt: result.brokenAt ?? null, reason: result.reason ?? null };
  store.write('durable', () => {
    store.journal.append(atMs, { kind: BROKEN, metadata });
    store.settings.set(SAID, { ...metadata, atMs, seq: store.journal.head().seq });
  });
  return result;
}

/** Whether the journal says of this break since a time: in the row that was appended then, or in the one the daemon began with. */
function isSaid(store: Context['store'], { brokenAt = 0, reason }: AuditResult, sinceMs: number): boolean {
  if (reason === NOTED_BROKEN && store.journal.readAfter(brokenAt - 1, 1).some(({ atMs }) => atMs > sinceMs))
    return true;
  const said = store.settings.get(SAID) as Said | undefined;
  if (said === undefined || said.atMs <= sinceMs) return false;
  // If the end of the journal was cut off, the next check finds the fault at the row that was appended in its place.
  return brokenAt === said.seq || (brokenAt === said.brokenAt && reason === said.reason);
}

/** Verifies the journal a minute from now, and then a day after each time, until called off. */
export function watchJournal(context: Context): () => void {
  const { clock, log } = context;
  let stop = clock.after(FIRST_AFTER_MS, run);
  let isOver = false;

  function run(): void {
    verifyJournal(context, { atLeisure: true })
      .then(({ valid, rows }) => {
        if (valid) log.info({ rows }, 'the journal is as it was written');
        else log.error({ rows }, 'the journal was tampered with; see GET /api/console/audit/verify');
      })
      .catch((error: unknown) => log.error({ err: error }, 'the journal could not be verified; it is tried again'))
      .finally(() => {
        if (!isOver) stop = clock.after(EVERY_MS, run);
      });
  }

  return () => {
    isOver = true;
    stop();
  };
}

/** Journals an event of the daemon itself, in a transaction of its own. */
export function journalSelf({ store, clock }: Pick<Context, 'store' | 'clock'>, event: JournalEvent): void {
  store.write('relaxed', () => store.journal.append(clock.nowMs(), event));
}

/** Not while the daemon has other things to begin with. */
const AFTER_MS = 5_000;

/** Has the database checked soon after the start, until called off. */
export function checkDatabaseSoon({ store, clock, log }: Context): () => void {
  return clock.after(AFTER_MS, () => {
    store
      .check()
      .then(({ findings, isWhole }) => {
        if (findings.length === 0) return;
        if (isWhole) log.warn({ findings }, 'indexes of the database were damaged; they were made anew');
        else log.error({ findings, dataDirectory: store.path }, DAMAGED);
      })
      .catch((error: unknown) => log.error({ err: error }, 'the database could not be checked'));
  });
}

const DAMAGED =
  'the database is damaged; the next start builds it anew from everything that can be read and keeps the damaged one';
