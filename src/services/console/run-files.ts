import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Artifact, Evidence } from '../../contract/action.ts';
import { EVIDENCE_WITHIN_MS } from '../../contract/times.ts';
import { canonicalJson, canonicalObject } from '../../domain/canonical-json.ts';
import { runPage } from '../../run-file/run-page.ts';
import {
  FORMAT,
  type RecordedAction,
  type RecordedRow,
  type RunRecord,
  sealed,
  signatureOf,
} from '../../run-file/run-record.ts';
import type { StoredRow } from '../../store/journal/journal.ts';
import { assessRow } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { ArtifactKeeper } from '../records/artifacts.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import { canonicalTargets } from '../targets/targets.ts';
import { createSlice } from '../work/turns.ts';
import type { Activity } from './activity.ts';
import type { FoundRun, Runs } from './runs.ts';

/** A file has the newest of a run's actions, so many at most. */
const MOST_ACTIONS = 500;
/** Pictures and outputs beyond this are named by their digest only. */
const MOST_BYTES = 48 * 1024 * 1024;
/** Rows of the journal that are looked through, and how many at a time. */
const MOST_ROWS = 200_000;
const PIECE = 500;

export type RunFiles = ReturnType<typeof createRunFiles>;
type Parts = { runs: Runs; activity: Activity; artifacts: Pick<ArtifactKeeper, 'openForPerson'> };
type Contents = Pick<RunRecord, 'texts' | 'pictures'> & { base64: Map<string, string> };

/** Writes a run into one file that shows it without a network and that `handrail audit --file` checks. */
export function createRunFiles(context: Context, { runs, activity, artifacts }: Parts) {
  const { store, clock } = context;

  /** The file of the run that an action belongs to. */
  async function save(actionId: string): Promise<{ page: string } | Refusal> {
    const found = await runs.find(actionId);
    if (isRefusal(found)) return found;
    const details = await detailsOf(found);
    const journal = await rowsOf(context, found, details);
    const recorded = new Set(journal.filter(({ kind }) => kind === 'action.requested').map((row) => row.actionId));
    const actions = details.filter(({ detail }) => recorded.has(detail.action.actionId));
    const { base64, ...contents } = await contentsOf(actions);
    const { effects: _effects, ...run } = found.run;
    const record: RunRecord = {
      version: FORMAT,
      savedAt: timestamp(clock.nowMs()),
      run,
      actions,
      ...contents,
      journal,
    };
    const page = runPage(record, base64);
    return { page: sealed(page, signatureOf(page, store.journalKey())) };
  }

  async function detailsOf({ members }: FoundRun): Promise<RecordedAction[]> {
    const slice = createSlice(clock);
    const actions: RecordedAction[] = [];
    for (const { id } of members.slice(0, MOST_ACTIONS).toReversed()) {
      const detail = activity.detail(id);
      if (!isRefusal(detail)) {
        const { journal: _ofAction, ...rest } = detail;
        const subject = subjectOf(id);
        actions.push({ detail: rest, subject });
      }
      if (slice.isOver()) await slice.next();
    }
    return actions;
  }

  /** The text that the digest of an action is made of, while all of it is kept. */
  function subjectOf(actionId: string): string | undefined {
    const row = store.actions.findById(actionId);
    if (row?.parameters === undefined) return undefined;
    const subject = canonicalObject({
      userId: canonicalJson(row.userId),
      deviceId: canonicalJson(row.deviceId),
      actionType: canonicalJson(row.actionType),
      parameters: canonicalJson(row.parameters),
      targets: canonicalTargets(row.targets ?? [], assessRow(row) ?? {}),
    });
    return hash('sha256', subject) === row.digest ? subject : undefined;
  }

  async function contentsOf(actions: readonly RecordedAction[]): Promise<Contents> {
    const contents: Contents = { texts: [], pictures: [], base64: new Map() };
    let left = MOST_BYTES;
    for (const artifact of actions.flatMap(({ detail }) => [
      ...(detail.evidence ?? []),
      ...(detail.action.artifacts ?? []),
    ])) {
      if (artifact.sizeBytes > left) continue;
      const opened = await artifacts.openForPerson(artifact.id);
      if (isRefusal(opened)) continue;
      left -= artifact.sizeBytes;
      addContent(contents, artifact, await buffer(opened.bytes));
    }
    return contents;
  }

  return { save };
}

/** The rows about the actions and about their prompts, oldest first. */
async function rowsOf(
  { store, clock }: Context,
  { members }: FoundRun,
  actions: readonly RecordedAction[],
): Promise<RecordedRow[]> {
  const ids = new Set(actions.map(({ detail }) => detail.action.actionId));
  const prompts = new Set(actions.flatMap(({ detail }) => detail.prompt?.id ?? []));
  const oldest = members[ids.size - 1];
  const range = store.activity.journalRange({
    fromMs: oldest?.createdAtMs ?? 0,
    toMs:
      members.reduce((end, { finishedAtMs }) => Math.max(end, finishedAtMs ?? clock.nowMs()), 0) + EVIDENCE_WITHIN_MS,
  });
  const slice = createSlice(clock);
  const rows: RecordedRow[] = [];
  const to = range === undefined ? 0 : Math.min(range.to, range.from + MOST_ROWS);
  for (let from = range?.from ?? 1; from <= to; from += PIECE) {
    const read = store.activity.journalRows(from, Math.min(to, from + PIECE - 1));
    const about = read.filter((row) => ids.has(row.action_id ?? '') || prompts.has(row.confirmation_id ?? ''));
    rows.push(...about.map(recorded));
    if (slice.isOver()) await slice.next();
  }
  return rows;
}

/** Leaves out bytes that are neither a picture nor text, and files that were changed on the disk. */
function addContent(
  { texts, pictures, base64 }: Contents,
  { mediaType, sha256 }: Artifact | Evidence,
  bytes: Buffer,
): void {
  if (base64.has(sha256) || hash('sha256', bytes) !== sha256) return;
  if (/^image\/[a-z]+$/.test(mediaType)) {
    pictures.push({ sha256, mediaType });
    base64.set(sha256, bytes.toString('base64'));
    return;
  }
  const text = bytes.toString('utf8');
  const isText = mediaType.startsWith('text/') && Buffer.from(text).equals(bytes);
  if (isText && !texts.some((one) => one.sha256 === sha256)) texts.push({ sha256, text });
}

function recorded(row: StoredRow): RecordedRow {
  return {
    seq: row.seq,
    atMs: row.at_ms,
    kind: row.kind,
    userId: row.user_id,
    deviceId: row.device_id,
    actionId: row.action_id,
    confirmationId: row.confirmation_id,
    metadata: row.metadata,
    previousHash: row.previous_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  };
}
