import { hash } from 'node:crypto';
import { chain } from '../store/journal/journal.ts';
import { jsonOf, type Pictures, RECORD_BEGINS, RECORD_ENDS, runPage } from './run-page.ts';
import {
  isRunRecord,
  isSignedBy,
  openSealed,
  type RecordedAction,
  type RecordedRow,
  type RunRecord,
} from './run-record.ts';

/** The journal of the computer that checks a file: its key, and the hash of each row that it still has. */
export type OwnJournal = { key: Buffer | undefined; hashOf(seq: number): string | undefined };

/** The record of a file, or the first fault in it. `isOwn`: its signature was made with the key of this computer's journal. */
export type RunCheck = { fault: string } | { record: RunRecord; isOwn: boolean; compared: number };

/** Checks a saved run: its seal, that its page shows its record and nothing else, and that the rows, digests and actions agree. */
export function checkRun(text: string, { key, hashOf }: OwnJournal): RunCheck {
  const opened = openSealed(text);
  if (opened === undefined) return { fault: 'it has no seal of Handrail at its end' };
  if (!opened.isWhole) return { fault: 'it was changed after it was sealed' }; // guard S7-1
  const record = recordOf(opened.page);
  if (record === undefined) return { fault: 'its record cannot be read, or is of another version of Handrail' };
  const pictures = picturesOf(opened.page);
  if (runPage(record, pictures) !== opened.page) return { fault: 'it shows something else than its record says' }; // guard S7-2
  const fault = pictureFault(record, pictures) ?? rowsFault(record.journal) ?? actionsFault(record);
  if (fault !== undefined) return { fault };
  const own = record.journal.map(({ seq, hash: ofFile }) => ({ seq, ofFile, ofJournal: hashOf(seq) }));
  const isOwn = key !== undefined && isSignedBy(opened, key); // guard S7-5
  const other = isOwn
    ? own.find(({ ofFile, ofJournal }) => ofJournal !== undefined && ofFile !== ofJournal)
    : undefined;
  if (other !== undefined) return { fault: `row ${other.seq} is another one in the journal of this computer` };
  return { record, isOwn, compared: isOwn ? own.filter(({ ofJournal }) => ofJournal !== undefined).length : 0 };
}

function recordOf(page: string): RunRecord | undefined {
  const begin = page.lastIndexOf(RECORD_BEGINS);
  const end = page.indexOf(RECORD_ENDS, begin);
  if (begin === -1 || end === -1) return undefined;
  try {
    const record: unknown = JSON.parse(jsonOf(page.slice(begin + RECORD_BEGINS.length, end)));
    return isRunRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The pictures of a page by the digest of their bytes. A text of the page has no quotation mark that is not an escape. */
function picturesOf(page: string): Pictures {
  const found = [...page.matchAll(/<img src="data:image\/[a-z]+;base64,([A-Za-z0-9+/=]*)"/g)];
  return new Map(found.map(([, base64 = '']) => [hash('sha256', Buffer.from(base64, 'base64')), base64]));
}

function pictureFault({ pictures, texts }: RunRecord, shown: Pictures): string | undefined {
  const missing = pictures.find(({ sha256 }) => !shown.has(sha256));
  if (missing !== undefined) return `the picture ${missing.sha256} is missing`;
  const other = texts.find(({ sha256, text }) => hash('sha256', text) !== sha256);
  return other === undefined ? undefined : `an output does not have its digest ${other.sha256}`;
}

/** Each row has the hash that follows from it and the row before it. Between two rows there may be others that are left out. */
function rowsFault(rows: readonly RecordedRow[]): string | undefined {
  let before: RecordedRow | undefined;
  for (const row of rows) {
    const { seq, atMs, kind, userId, deviceId, actionId, confirmationId, metadata, previousHash } = row;
    const expected = chain(Buffer.from(previousHash, 'hex'), [
      seq,
      atMs,
      kind,
      userId,
      deviceId,
      actionId,
      confirmationId,
      metadata,
    ]);
    if (expected.toString('hex') !== row.hash) return `row ${seq} of the journal does not have its hash`; // guard S7-3
    if (before !== undefined && seq <= before.seq) return `row ${seq} of the journal is out of order`;
    if (before?.seq === seq - 1 && before.hash !== previousHash)
      return `row ${seq} of the journal does not follow from the one before it`;
    before = row;
  }
  return undefined;
}

function actionsFault({ actions, journal }: RunRecord): string | undefined {
  const rows = Map.groupBy(journal, ({ actionId }) => actionId);
  for (const action of actions) {
    const fault = actionFault(action, rows.get(action.detail.action.actionId) ?? []);
    if (fault !== undefined) return `action ${action.detail.action.actionId}: ${fault}`;
  }
  return undefined;
}

/** The rows of an action must say the same about it as the file. */
function actionFault(
  { detail: { action, evidence = [] }, subject }: RecordedAction,
  rows: readonly RecordedRow[],
): string | undefined {
  const facts = rows.map(({ metadata }) => factsOf(metadata));
  const [requested] = facts;
  if (rows[0]?.kind !== 'action.requested' || requested === undefined) return 'no row says that it was requested';
  if (rows[0].userId !== action.userId || requested.type !== action.actionType) return 'its row names another request';
  // guard S7-4
  if (subject !== undefined && hash('sha256', subject) !== requested.digest)
    return 'its arguments do not have the digest of its row';
  const status = facts.findLast((each) => typeof each.status === 'string')?.status;
  if (status !== action.status) return 'its rows end with another status';
  const attached = new Set(facts.flatMap(({ attachments }) => (Array.isArray(attachments) ? attachments : [])));
  for (const [index, { kind }] of rows.entries()) if (kind === 'artifact.kept') attached.add(facts[index]?.sha256);
  const unproven = [...(action.artifacts ?? []), ...evidence].find(({ sha256 }) => !attached.has(sha256));
  return unproven === undefined ? undefined : `no row has the digest of its result ${unproven.id}`;
}

function factsOf(metadata: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(metadata)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
