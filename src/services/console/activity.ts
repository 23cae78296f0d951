import type { Evidence } from '../../contract/action.ts';
import type { ActivityDetail, AnsweredPrompt, ListedAction } from '../../contract/activity.ts';
import type { UnderWay } from '../../contract/console-status.ts';
import { doing } from '../../contract/doing.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { onMachine } from '../../domain/machine-words.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActivityFilter, ActivityScan } from '../../store/records/activity.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import { viewStored } from '../actions/action-view.ts';
import type { Context } from '../context.ts';
import { deviceWords, visible, windowOf } from '../prompt-words.ts';
import { viewEvent } from '../records/event-stream.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { visibleProgram } from '../requesters/calling-programs.ts';
import { timestamp } from '../steady-clock.ts';
import {
  BEYOND,
  cursorOf,
  idOfCursor,
  type JsonText,
  MOST_CHARACTERS,
  type Page,
  type PageRequest,
} from '../work/pages.ts';
import { createSlice } from '../work/turns.ts';

/** Rows looked at in one read, and in one call. A call that finds little answers a short page with a cursor. */
const SCAN = 1_000;
const MOST_SCANNED = 50_000;
/** Rows of one read that are turned into JSON without a look at the clock. */
const PIECE = 25;

export type Activity = ReturnType<typeof createActivity>;

/** The log of the person: the actions of all requesters with filters, and everything kept about one action. */
export function createActivity(context: Context) {
  const { store, clock } = context;

  /** Yields what a bounded number of reads find, and after each the id to go on from. */
  function* reads(filter: ActivityFilter, startId: string, limit: number) {
    let left = limit;
    let beforeId: string | undefined = startId;
    for (let scanned = 0; beforeId !== undefined && left > 0 && scanned < MOST_SCANNED; ) {
      const wanted = Math.min(PIECE, left);
      const { rows, goOnBefore }: ActivityScan = store.activity.scan(filter, { beforeId, scan: SCAN, limit: wanted });
      yield { rows, goOnBefore };
      scanned += rows.length === wanted ? wanted : SCAN;
      left -= rows.length;
      beforeId = goOnBefore;
    }
  }

  /** A page may be short and have a cursor where few actions match. */
  async function list(filter: ActivityFilter, page: PageRequest): Promise<Page<ListedAction> | Refusal> {
    const { cursor, limit } = page;
    const startId = cursor === undefined ? BEYOND : idOfCursor(cursor);
    if (isRefusal(startId)) return startId;
    const slice = createSlice(clock);
    const items: JsonText<ListedAction>[] = [];
    let goOnFrom: string | undefined = startId;
    let characters = 0;
    for (const { rows, goOnBefore } of reads(filter, startId, limit)) {
      const found: JsonText<ListedAction>[] = rows.map((row) =>
        JSON.stringify({ ...viewStored(context, row), ...sentenceIn(context, row) }),
      );
      items.push(...found);
      goOnFrom = goOnBefore;
      characters += found.reduce((sum, item) => sum + item.length, 0);
      if (characters > MOST_CHARACTERS) break;
      if (slice.isOver()) await slice.next();
    }
    return { items, nextCursor: goOnFrom === undefined ? null : cursorOf(goOnFrom) };
  }

  function detail(actionId: string): ActivityDetail | Refusal {
    const row = store.actions.findById(actionId);
    if (row === undefined) return { refused: 'action_not_found', detail: `There is no action ${actionId}.` };
    const program = store.callingPrograms.find(row.taskId ?? row.id);
    return {
      action: viewStored(context, row),
      device: { id: row.deviceId, name: deviceWords(context, row.deviceId, 'a device that was removed') },
      ...contentsOf(context, row),
      rule: visible(row.rule),
      grantId: row.grantId,
      ...promptOf(context, row),
      program: program && visibleProgram(program),
      ...evidenceOf(context, row),
      journal: journalOf(context, row).map(viewEvent),
    };
  }

  return { list, detail };
}

/** The rows about one action: of its life, and of the time at which the person undid it. */
function journalOf({ store, clock }: Context, row: ActionRow) {
  const life = store.activity.journalOf(row.id, { fromMs: row.createdAtMs, toMs: row.finishedAtMs ?? clock.nowMs() });
  const atMs = store.undos.find(row.id)?.undoneAtMs;
  if (atMs === undefined) return life;
  const last = life.at(-1)?.seq ?? 0;
  return [...life, ...store.activity.journalOf(row.id, { fromMs: atMs, toMs: atMs }).filter(({ seq }) => seq > last)];
}

function contentsOf(context: Context, row: ActionRow): Pick<ActivityDetail, 'sentence' | 'arguments' | 'window'> {
  if (row.parameters === undefined) return sentenceIn(context, row);
  return {
    ...sentenceIn(context, row),
    arguments: visible(canonicalJson(row.parameters)),
    ...windowOf(row),
  };
}

/** It was made visible when it was stored. Another machine is named also once the sentence is no longer kept. */
function sentenceIn({ store }: Context, { sentence, actionType, deviceId }: ActionRow): { sentence?: string } {
  if (sentence !== undefined) return { sentence };
  const machine = store.devices.machineOf(deviceId);
  return machine === LOCAL ? {} : { sentence: onMachine(machine, doing(actionType)) };
}

function evidenceOf({ store }: Context, { id, startedAtMs }: ActionRow): { evidence?: Evidence[] } {
  const rows = startedAtMs === undefined ? [] : store.artifacts.evidenceOf(id);
  const pictures = rows.flatMap(({ role, id: pictureId, mediaType, width, height, sizeBytes, sha256 }) =>
    role === undefined ? [] : { id: pictureId, mediaType, width, height, sizeBytes, sha256, role },
  );
  return pictures.length === 0 ? {} : { evidence: pictures };
}

function promptOf({ store }: Context, row: ActionRow): { prompt?: AnsweredPrompt } {
  const confirmation =
    row.planId === undefined ? store.confirmations.findByAction(row.id) : store.confirmations.find(row.planId);
  if (confirmation === undefined) return {};
  const { id, status, shownAtMs, decidedAtMs, presence } = confirmation;
  return {
    prompt: {
      id,
      about: row.planId === undefined ? 'action' : 'plan',
      status,
      shownAt: timestamp(shownAtMs),
      decidedAt: timestamp(decidedAtMs),
      presence,
    },
  };
}

/** A status is read after every event, so it names the latest only. */
const MOST = 20;

/**
 * The latest actions and tasks that run or wait for their turn, newest first. An action of a task is part of its task, and an
 * action that waits for the person is a prompt. Tasks that need the person's answer come before newer ones where not all fit.
 */
export function underWay(of: {
  actions: readonly ActionRow[];
  tasks: readonly TaskRow[];
  /** The sentence of an action that has not ended. */
  sentenceOf(row: ActionRow): string;
}): UnderWay[] {
  const ofAction = (row: ActionRow) => viewOfAction(row, of.sentenceOf(row));
  const actions = of.actions.filter(
    ({ taskId, status }) => taskId === undefined && (status === 'queued' || status === 'running'),
  );
  const stuck = of.tasks.filter(needsAnswer);
  const others = of.tasks.filter((task) => !needsAnswer(task));
  const latest = [...actions.slice(-MOST).map(ofAction), ...others.slice(-MOST).map(ofTask)].toSorted(newestFirst);
  return [...stuck.slice(-MOST).map(ofTask), ...latest].slice(0, MOST).toSorted(newestFirst);
}

function needsAnswer({ status }: TaskRow): boolean {
  return status === 'needs_attention';
}

function newestFirst(one: UnderWay, other: UnderWay): number {
  return one.createdAt < other.createdAt ? 1 : -1;
}

function viewOfAction({ id, userId, status, createdAtMs }: ActionRow, title: string): UnderWay {
  return { kind: 'action', id, userId, title, status, createdAt: timestamp(createdAtMs) };
}

function ofTask({ id, userId, name, status, createdAtMs }: TaskRow): UnderWay {
  return { kind: 'task', id, userId, title: name, status, createdAt: timestamp(createdAtMs) };
}
