import { RISK_LEVELS } from '../../contract/risk-level.ts';
import type { Run } from '../../contract/run.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActivityFilter, ActivityScan } from '../../store/records/activity.ts';
import type { RunMember } from '../../store/records/runs.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { timestamp } from '../timestamps.ts';
import { BEYOND, cursorOf, idOfCursor, type JsonText, type Page, type PageRequest } from '../work/pages.ts';
import { createSlice, type Slice } from '../work/turns.ts';
import { effectsOf } from './run-effects.ts';
import { MOST_MEMBERS, membersOf } from './run-members.ts';

const MOST_TYPES = 4;

/** Actions looked at for one page. A page that finds few runs among them is short and has a cursor. */
const MOST_LOOKED_AT = 20_000;
/** Actions of one read, and matching ones of it. */
const SCAN = 1_000;
const PIECE = 200;

/** A run and its actions, newest first. */
export type FoundRun = { run: Run; members: readonly RunMember[] };
export type Runs = ReturnType<typeof createRuns>;

/** Groups the actions of the person's log into runs. */
export function createRuns(context: Context) {
  const { store, clock } = context;

  /** Yields the actions that match, piece by piece, until there are no more or enough were looked at. */
  function* reads(filter: ActivityFilter, startId: string, alsoLookedAt: () => number): Generator<ActivityScan> {
    let beforeId: string | undefined = startId;
    for (let scanned = 0; beforeId !== undefined && scanned + alsoLookedAt() < MOST_LOOKED_AT; ) {
      const read: ActivityScan = store.activity.scan(filter, { beforeId, scan: SCAN, limit: PIECE });
      scanned += read.rows.length < PIECE ? SCAN : PIECE;
      yield read;
      beforeId = read.goOnBefore;
    }
  }

  /** Newest first by the latest action that matches. A run is listed whole where one of its actions matches. */
  async function list(filter: ActivityFilter, page: PageRequest): Promise<Page<Run> | Refusal> {
    const { cursor, limit } = page;
    const startId = cursor === undefined ? BEYOND : idOfCursor(cursor);
    if (isRefusal(startId)) return startId;
    const slice = createSlice(clock);
    return pageOf(
      { reads, finder: createFinder(context, { filter, startId, slice }) },
      { filter, startId, limit, slice },
    );
  }

  /** The run of an action, with its actions. */
  async function find(actionId: string): Promise<FoundRun | Refusal> {
    const row = store.actions.findById(actionId);
    if (row === undefined) return { refused: 'action_not_found', detail: `There is no action ${actionId}.` };
    const members = await membersOf(context, row, { filter: {}, slice: createSlice(clock) });
    return { run: viewRun(context, row, members), members };
  }

  async function one(actionId: string): Promise<Run | Refusal> {
    const found = await find(actionId);
    return isRefusal(found) ? found : found.run;
  }

  return { list, find, one };
}

type Finding = { reads: Reads; finder: ReturnType<typeof createFinder> };
type Reads = (filter: ActivityFilter, startId: string, alsoLookedAt: () => number) => Iterable<ActivityScan>;
type Wanted = { filter: ActivityFilter; startId: string; limit: number; slice: Slice };

async function pageOf({ reads, finder }: Finding, { filter, startId, limit, slice }: Wanted): Promise<Page<Run>> {
  const items: JsonText<Run>[] = [];
  let goOnFrom: string | undefined = startId;
  for (const { rows, goOnBefore } of reads(filter, startId, finder.lookedAt)) {
    for (const row of rows) {
      const run = await finder.runOf(row);
      if (run !== undefined) items.push(JSON.stringify(run));
      if (items.length === limit) return { items, nextCursor: cursorOf(row.id) };
    }
    goOnFrom = goOnBefore;
    if (slice.isOver()) await slice.next();
  }
  return { items, nextCursor: goOnFrom === undefined ? null : cursorOf(goOnFrom) };
}

/** Finds the runs of actions that come newest first, each run once, and none that an earlier page has. */
function createFinder(
  context: Context,
  { filter, startId, slice }: { filter: ActivityFilter; startId: string; slice: Slice },
) {
  /** For each owner of runs, the oldest action among those of its runs that were found. */
  const foundDownTo = new Map<string, string>();
  let lookedAt = 0;
  return {
    lookedAt: () => lookedAt,
    async runOf(row: ActionRow): Promise<Run | undefined> {
      const owner = row.taskId ?? row.userId;
      const beforeId = foundDownTo.get(owner);
      if (beforeId !== undefined && row.id >= beforeId) return undefined;
      const members = await membersOf(context, row, { filter, slice, beforeId });
      lookedAt += members.length;
      foundDownTo.set(owner, members.at(-1)?.id ?? row.id);
      const isOfEarlierPage = members.some(({ id, isMatch }) => isMatch && id >= startId);
      return isOfEarlierPage ? undefined : viewRun(context, row, members);
    },
  };
}

/** A run as the person sees it, from one of its actions and from all of them, newest first. */
function viewRun({ store }: Context, row: ActionRow, members: readonly RunMember[]): Run {
  const first = members.at(-1);
  const task = row.taskId === undefined ? undefined : store.tasks.findById(row.taskId);
  const levels = new Set(members.map(({ risk }) => risk));
  const ends = members.map(({ finishedAtMs }) => finishedAtMs);
  const end = ends.some((each) => each === null) ? undefined : Math.max(...ends.map(Number));
  return {
    id: first?.id ?? row.id,
    userId: row.userId,
    taskId: row.taskId,
    taskName: task && visible(task.name),
    ...(members.some(({ isOfAllowedPlan }) => isOfAllowedPlan) && { isPlanAllowed: true }),
    // The time of the answer is part of a run, with a plan as with a single action.
    startedAt: timestamp(task?.createdAtMs ?? first?.createdAtMs ?? row.createdAtMs),
    lastAt: timestamp(members[0]?.createdAtMs ?? row.createdAtMs),
    endedAt: timestamp(end),
    actions: members.length,
    statuses: counted(members.map(({ status }) => status)).map(([status, count]) => ({ status, count })),
    types: counted(members.map(({ actionType }) => actionType))
      .slice(0, MOST_TYPES)
      .map(([actionType, count]) => ({ actionType, count })),
    effects: effectsOf(members.toReversed()),
    artifacts: members.reduce((sum, { artifactCount }) => sum + artifactCount, 0),
    risk: RISK_LEVELS.findLast((level) => levels.has(level)) ?? row.risk.level,
    isCut: members.length >= MOST_MEMBERS,
  };
}

/** The words with how often each is there, the most frequent first. */
function counted<Word extends string>(words: readonly Word[]): [Word, number][] {
  const counts = new Map<Word, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
