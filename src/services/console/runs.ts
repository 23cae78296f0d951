import { RISK_LEVELS } from '../../contract/risk-level.ts';
import { RUN_BREAK_MS, type Run } from '../../contract/run.ts';
import type { Deed, Done } from '../../domain/catalogue/definition.ts';
import { pathWords, quoted } from '../../domain/catalogue/window-words.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActivityFilter, ActivityScan } from '../../store/records/activity.ts';
import type { RunMember, RunOwner } from '../../store/records/runs.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import { BEYOND, cursorOf, idOfCursor, type JsonText, type Page, type PageRequest } from '../work/pages.ts';
import { createSlice, type Slice } from '../work/turns.ts';

const MOST_TYPES = 4;

/** Actions looked at for one page. A page that finds few runs among them is short and has a cursor. */
const MOST_LOOKED_AT = 20_000;
/** Actions of one read, and matching ones of it. */
const SCAN = 1_000;
const PIECE = 200;

/** A run and its actions, newest first. */
export type FoundRun = { run: Run; members: readonly RunMember[] };
export type Runs = ReturnType<typeof createRuns>;

/** Actions that one run has at most; the older part of a longer one is a run of its own. */
const MOST_MEMBERS = 5_000;

/** `beforeId`: only actions before this one. */
type MembersOfWanted = { filter: ActivityFilter; slice: Slice; beforeId?: string | undefined };

/** The actions of the run that an action belongs to, newest first, with whether each matches a filter. */
async function membersOf({ store }: Context, row: ActionRow, wanted: MembersOfWanted): Promise<RunMember[]> {
  const { filter, slice, beforeId } = wanted;
  const owner: RunOwner = row.taskId === undefined ? { userId: row.userId } : { taskId: row.taskId };
  const self = store.runs.beside(owner, { id: `${row.id}~`, side: 'before', limit: 1 }, filter);

  /** Adds the actions on one side, each beside the one before, until a break. */
  async function add(into: RunMember[], side: 'before' | 'after'): Promise<RunMember[]> {
    for (let at = into.at(-1); at !== undefined && into.length < MOST_MEMBERS; ) {
      const limit = Math.min(PIECE, MOST_MEMBERS - into.length);
      const beside = store.runs.beside(owner, { id: at.id, side, limit }, filter);
      const unbroken = 'taskId' in owner ? beside : unbrokenOf([at, ...beside]);
      into.push(...unbroken);
      at = unbroken.length < limit ? undefined : unbroken.at(-1);
      if (slice.isOver()) await slice.next();
    }
    return into;
  }

  const newer = beforeId === undefined ? await add([...self], 'after') : self;
  return add(newer.toReversed(), 'before');
}

/** The actions after the first, up to the first break. */
function unbrokenOf(actions: readonly RunMember[]): RunMember[] {
  const rest = actions.slice(1);
  const broken = rest.findIndex((action, index) => isParted(actions[index] ?? action, action));
  return broken === -1 ? rest : rest.slice(0, broken);
}

/** Whether the time of a break passed between two actions in which neither was under way. */
function isParted(one: RunMember, other: RunMember): boolean {
  const [older, newer] = one.id < other.id ? [one, other] : [other, one];
  return newer.createdAtMs - (older.finishedAtMs ?? newer.createdAtMs) > RUN_BREAK_MS;
}

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

/** Places of one run that are told. */
const MOST_PLACES = 8;
/** Things of one kind at one place that are named; more are counted. What the person allowed is always named. */
const MOST_NAMED = 3;

type Told = Done & { isAllowed: boolean };
/** Words about some of the things done, and how much they matter. */
type Phrase = { words: string; rank: number };

/**
 * What the actions of a run did, by place: `clicked “Send” (you allowed)`, `typed 154 characters`. What the person allowed comes first, then
 * what changes most; equals stay in the order in which they were done. `members`: oldest first.
 */
export function effectsOf(members: readonly Pick<RunMember, 'done' | 'isAllowed'>[]): Run['effects'] {
  const told = members.flatMap(({ done, isAllowed }): Told[] => (done === undefined ? [] : [{ ...done, isAllowed }]));
  return [...Map.groupBy(told, placeKey).values()]
    .map((here) => ({
      place: placeWords(here.at(-1)),
      phrases: [...Map.groupBy(here, ({ did, isAllowed }) => `${did} ${isAllowed}`).values()]
        .flatMap(phrasesOf)
        .toSorted(byRank),
    }))
    .toSorted(({ phrases: [one] }, { phrases: [other] }) => byRank(one, other))
    .slice(0, MOST_PLACES)
    .map(({ place, phrases }) => ({ place, did: phrases.map(({ words }) => words) }));
}

function placeKey({ place, machine = '' }: Told): string {
  return `${machine}\n${place.startsWith('/') ? place : place.toLowerCase()}`;
}

/** An app has its own form of the name that a requester wrote. */
function placeWords(told: Told | undefined): string {
  const place = visible(told?.place ?? '');
  return told?.machine === undefined ? place : `On ${told.machine}, ${place}`;
}

const byRank = (one: Phrase | undefined, other: Phrase | undefined) => (one?.rank ?? 0) - (other?.rank ?? 0);

/** Things of one kind, all allowed by the person or none. */
function phrasesOf(told: readonly Told[]): Phrase[] {
  const [first] = told;
  if (first === undefined) return [];
  const { did, isAllowed } = first;
  const { isSum = false } = WORDS[did];
  const rank = DEEDS.indexOf(did) - (isAllowed ? DEEDS.length : 0);
  const end = isAllowed ? ' (you allowed)' : '';
  const texts = isSum
    ? [
        countedWords(
          did,
          told.reduce((sum, { what }) => sum + Number(what), 0),
        ),
      ]
    : [...Map.groupBy(told, whereWords)].flatMap(([where, same]) =>
        namedWords(did, same).map((words) => `${words}${where}`),
      );
  return texts.map((words) => ({ words: `${words}${end}`, rank }));
}

/** The window that got it, or the folder that it went into. */
function whereWords({ did, window, to }: Told): string {
  if (window !== undefined) return ` in ${name(window)}`;
  return did === 'moved' && to !== undefined ? ` to ${visible(pathWords(to))}` : '';
}

/** The verb once for all its things: `moved “a.txt” and “b.txt”`. */
function namedWords(did: Deed, told: readonly Told[]): string[] {
  const { verb, nameless, after = '', nameOf = name } = WORDS[did];
  const thingOf = ({ what, to = '' }: Told) => (did === 'renamed' ? `${name(what)} to ${name(to)}` : nameOf(what));
  const things = [...Map.groupBy(told, thingOf)];
  const [unnamed, named] = [
    things.filter(([, [one]]) => one?.what === ''),
    things.filter(([, [one]]) => one?.what !== ''),
  ];
  const alone = nameless === undefined ? verb : `${verb} ${nameless}`;
  const isCounted = named.length > MOST_NAMED && told[0]?.isAllowed !== true;
  const names = named.map(([thing, same]) => `${thing}${times(same.length)}`);
  return [
    ...unnamed.map(([, same]) => `${alone}${after}${times(same.length)}`),
    ...(isCounted ? [countedWords(did, named.flatMap(([, same]) => same).length)] : []),
    ...(isCounted || names.length === 0 ? [] : [`${verb} ${LIST.format(names)}${after}`]),
  ];
}

function countedWords(did: Deed, count: number): string {
  const { verb, noun, after = '' } = WORDS[did];
  return `${verb} ${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}${after}`;
}

const LIST = new Intl.ListFormat('en-GB');

/** `what` may be an app's own words, so it is quoted. */
const name = (what: string) => quoted(visible(what));

/** A key or a chord as it stands on the keys: `Ctrl+S`. One that could be read as other words is quoted. */
function keysName(keys: string): string {
  if (!/^[\p{L}\p{N}]+(?:\+[\p{L}\p{N}]+)*$/u.test(keys)) return name(keys);
  return keys.replaceAll(/(?<=^|\+)\p{L}/gu, (letter) => letter.toUpperCase());
}

type Words = {
  verb: string;
  noun: string;
  /** The words for a thing that has no name of its own. */
  nameless?: string;
  after?: string;
  nameOf?: (what: string) => string;
  isSum?: true;
};

/** The words for each kind of deed. The kinds stand in the order in which a run names them: the greatest change first. */
const WORDS: Record<Deed, Words> = {
  ran: { verb: 'ran', noun: 'script' },
  moved: { verb: 'moved', noun: 'item' },
  renamed: { verb: 'renamed', noun: 'item' },
  trashed: { verb: 'put', noun: 'item', after: ' into the trash' },
  replaced: { verb: 'replaced', noun: 'file' },
  saved: { verb: 'saved', noun: 'file' },
  created: { verb: 'created', noun: 'file' },
  clicked: { verb: 'clicked', noun: 'control', nameless: 'a control without a name' },
  chose: { verb: 'chose', noun: 'menu item' },
  dragged: { verb: 'dragged', noun: 'object', nameless: 'an object without a name' },
  pressed: { verb: 'pressed', noun: 'key', nameOf: keysName },
  filled: { verb: 'filled', noun: 'field', nameless: 'a field without a name' },
  typed: { verb: 'typed', noun: 'character', isSum: true },
  copied: { verb: 'put on it', noun: 'character', isSum: true },
  visited: { verb: 'opened', noun: 'address' },
  opened: { verb: 'opened', noun: 'file', nameless: 'the app' },
  closed: { verb: 'closed', noun: 'window', nameless: 'a window without a title' },
  quit: { verb: 'quit', noun: 'app', nameless: 'the app' },
};
const DEEDS = Object.keys(WORDS);

const times = (count: number) => (count === 1 ? '' : ` ${count} times`);

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
