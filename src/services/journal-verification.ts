import type { AuditResult } from '../contract/console.ts';
import type { Context } from './context.ts';

/** Not while the daemon has other things to begin with. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 24 * 3_600_000;

/** A journal that fails its check says so itself, so that nobody has to have been looking. */
export async function verifyJournal({ store, clock }: Context, { atLeisure = false } = {}): Promise<AuditResult> {
  const result = await store.audit({ atLeisure });
  const { valid, brokenAt, reason } = result;
  if (valid) return result;
  const metadata = { brokenAt: brokenAt ?? null, reason: reason ?? null };
  store.write('durable', () => store.journal.append(clock.nowMs(), { kind: 'journal.broken', metadata }));
  return result;
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
