import type { Database } from 'better-sqlite3';
import { type RecordedEvent, recordedEvent } from '../../domain/journal/journal-event.ts';
import { REPEAT_MS, type SeenBefore } from '../../guardian/recording/demand.ts';
import { createRecorder, type Recorder } from '../../guardian/recording/recorder.ts';
import { emptyRollup } from '../../guardian/recording/rollup.ts';
import { IS_LIVE } from '../database/schema/actions.ts';
import { onlyRow } from '../database/stored-values.ts';
import { fromStored, type StoredRow, TOLD_COLUMNS } from '../journal/journal.ts';
import { createEndedActions } from '../records/ended-actions.ts';
import { DAY_MS, MINUTE_MS } from './units.ts';

/**
 * Rebuilds a recorder's state from the journal: the actions and plans that have not ended, and the latest requests. `before`:
 * the events that the recorder counts next, which are in the journal already. Reads some ten minutes of the journal and skips
 * actions and plans that have ended, so that a busy daemon starts as fast as any.
 */
export function recallRecorder(
  database: Database,
  { seen, before }: { seen: SeenBefore; before: readonly RecordedEvent[] },
): Recorder {
  let isRecalling = true;
  const recorder = createRecorder({
    lastAtMs: (key) => (isRecalling ? undefined : seen.lastAtMs(key)),
    note: (key, atMs) => (isRecalling ? undefined : seen.note(key, atMs)),
  });
  const unfinished = findUnfinished(database, before);
  const recentFromMs = (before[0]?.atMs ?? 0) - REPEAT_MS - MINUTE_MS;
  const beforeSeq = before[0]?.seq ?? 0;
  const afterSeq = seqBefore(database, { beforeSeq, recentFromMs, unfinished });
  const nothing = emptyRollup();
  for (const event of rowsToRecall(database, { afterSeq, beforeSeq, ids: unfinished.ids })) {
    if (unfinished.ids.has(event.actionId ?? '') || event.kind !== 'action.requested') recorder.note(event, nothing);
    else recorder.noteRequest(event);
  }
  isRecalling = false;
  return recorder;
}

/**
 * `ids`: the subjects of the events, and the actions and plans that have not ended. `begun`: the actions and plans among them that have
 * their beginning in the journal. The first began at `oldestMs`.
 */
type Unfinished = { ids: ReadonlySet<string>; begun: readonly string[]; oldestMs: number };

function findUnfinished(database: Database, events: readonly RecordedEvent[]): Unfinished {
  const named = events.flatMap(({ actionId = [], confirmationId = [] }) => [actionId, confirmationId].flat());
  const rows = database
    .prepare<unknown[], { id: string; atMs: number }>(
      `WITH
         named AS (SELECT value FROM json_each(?)),
         unfinished AS (
           SELECT id, created_at_ms, plan_id FROM actions WHERE rowid > ? AND ${IS_LIVE}
           UNION ALL SELECT id, created_at_ms, plan_id FROM actions WHERE id IN named)
       SELECT id, created_at_ms AS atMs FROM unfinished
       UNION ALL SELECT c.id, c.created_at_ms FROM tasks t JOIN confirmations c ON c.task_id = t.id WHERE t.finished_at_ms IS NULL
       UNION ALL SELECT id, created_at_ms FROM confirmations
         WHERE task_id IS NOT NULL AND id IN (SELECT value FROM named UNION ALL SELECT plan_id FROM unfinished)`,
    )
    .all(JSON.stringify(named), createEndedActions(database).upTo());
  const begun = [...new Set(rows.map(({ id }) => id))];
  const oldestMs = rows.reduce((oldest, { atMs }) => Math.min(oldest, atMs), Number.POSITIVE_INFINITY);
  return { ids: new Set([...named, ...begun]), begun, oldestMs };
}

/**
 * A sequence number before every row that is needed: the rows where unfinished work begins, and the recent ones. Times alone
 * do not give it, since the clock may have been set back in between; a row that is missing from the first search is searched
 * for in one day more.
 */
function seqBefore(
  database: Database,
  {
    beforeSeq,
    recentFromMs,
    unfinished: { begun, oldestMs },
  }: { beforeSeq: number; recentFromMs: number; unfinished: Unfinished },
): number {
  const latestBefore = database
    .prepare('SELECT seq FROM journal WHERE seq < ? AND at_ms < ? ORDER BY seq DESC LIMIT 1')
    .pluck();
  const seqAt = (atMs: number) => Number(latestBefore.get(beforeSeq, atMs) ?? 0);
  const beginnings = database.prepare<unknown[], { found: number; first: number | null }>(
    `SELECT count(*) AS found, min(seq) AS first FROM journal
     WHERE seq > :afterSeq AND ((kind = 'action.requested' AND action_id IN (SELECT value FROM json_each(:ids)))
       OR (kind = 'task.plan_asked' AND confirmation_id IN (SELECT value FROM json_each(:ids))))`,
  );
  const beginningsAfter = (afterSeq: number) => onlyRow(beginnings.get({ afterSeq, ids: JSON.stringify(begun) }));
  const fromMs = Math.min(oldestMs, recentFromMs);
  const seq = seqAt(fromMs);
  if (begun.length === 0 || beginningsAfter(seq).found === begun.length) return seq;
  const { first } = beginningsAfter(seqAt(fromMs - DAY_MS));
  return Math.min(seq, (first ?? Number.POSITIVE_INFINITY) - 1);
}

/** The requests and refusals of a stretch of the journal, and every row of it that is about one of the ids. */
function* rowsToRecall(
  database: Database,
  { afterSeq, beforeSeq, ids }: { afterSeq: number; beforeSeq: number; ids: ReadonlySet<string> },
): Generator<RecordedEvent> {
  const rows = database.prepare<unknown[], StoredRow>(
    `SELECT ${TOLD_COLUMNS} FROM journal
     WHERE seq > :afterSeq AND seq < :beforeSeq AND (kind IN ('action.requested', 'request.refused')
       OR action_id IN (SELECT value FROM json_each(:ids)) OR confirmation_id IN (SELECT value FROM json_each(:ids)))
     ORDER BY seq`,
  );
  for (const row of rows.iterate({ afterSeq, beforeSeq, ids: JSON.stringify([...ids]) }))
    yield recordedEvent(fromStored(row));
}
