import type { Failure, Reply } from '../../../src/client/call.ts';
import type { Action } from '../../../src/contract/action.ts';
import type { ListedAction } from '../../../src/contract/activity.ts';
import type { Feed } from '../feed/feed.ts';
import { createObservable, type Observable } from '../observable.ts';
import { createThrottled } from '../wire/throttle.ts';
import { statusOf } from './activity-words.ts';

/** The members that a row of the list shows. The rest of an action is loaded when it is opened, so that 100,000 rows fit into memory. */
export type ActivityRow = Pick<
  Action,
  'actionId' | 'actionType' | 'userId' | 'status' | 'createdAt' | 'durationMs' | 'taskId'
> & {
  /** The sentence that the person was shown; the details, once its contents are no longer kept. */
  words: string;
  level: Action['risk']['level'];
  /** How its file can be put back, while that is possible. */
  undo?: Action['undo'];
};

function toRow(action: ListedAction): ActivityRow {
  const { actionId, actionType, userId, sentence, details, createdAt, durationMs, taskId, risk, undo } = action;
  return {
    actionId,
    actionType,
    userId,
    status: statusOf(action),
    words: sentence ?? details,
    createdAt,
    level: risk.level,
    ...(undo?.until !== undefined && { undo }),
    durationMs,
    taskId,
  };
}

export type ActivityLog = {
  /** Newest first. */
  rows: readonly ActivityRow[];
  /** `more`: older rows can be loaded. `all`: there are none. */
  state: 'loading' | 'more' | 'all';
  failure: Failure | undefined;
};

type ActivityPage = { items: Action[]; nextCursor: string | null };

type ActivityReader = Observable<ActivityLog> & {
  /** Loads the next older rows, unless they are being loaded. */
  loadMore(): Promise<void>;
  /** Whether the person reads further down. While they do not, a log that grows drops its oldest rows; they can be loaded again. */
  setReading(isReading: boolean): void;
  /** Keeps the log up to date until the answered function is called. */
  watch(feed: Pick<Feed, 'subscribe'>): () => void;
};

const PAGE_ROWS = 500;
/** So many of the newest rows are looked at again after each change, and more where one of the first 1,000 has not ended. */
const LIVELY_ROWS = 80;
const MOST_LIVELY_ROWS = 1_000;
/** Rows that may be new since the last look, on its first page. */
const NEW_ROWS = 20;
/** Pages that are loaded at most to catch up. A log that has missed more than an hour of five actions a second begins anew. */
const MOST_TO_CATCH_UP = 40;
const REFRESH_GAP_MS = 500;
/** A row that still changes was requested at most so long before, even if the clock was set back. */
const SLACK_MS = 86_400_000;
const UNFINISHED: readonly Action['status'][] = ['awaiting_confirmation', 'queued', 'running'];

/** `since`: only what was requested then or later. */
export type WantedPage = { limit: number; cursor?: string; since?: string };
type Load = (page: WantedPage) => Promise<Reply<ActivityPage>>;

/** Rows, and the cursor of the rows after them, if there are more. */
type RowPage = { rows: ActivityRow[]; next: string | undefined };

/** So many rows are kept while nobody reads further down than the newest. */
const MOST_UNREAD_ROWS = 2_000;
const MOST_KEPT = 1_000;
const LEAST_KEPT = 80;
/** Places are noted so far apart. */
const NOTED_EVERY_ROWS = 400;

type Place = { lastId: string; next: string };

/** Places of a log from which older rows can be loaded again. */
function createPlaces() {
  /** Newest first. */
  let noted: Place[] = [];
  return {
    /** A page of the log ended there. */
    note({ rows: page, next }: RowPage, rows: readonly ActivityRow[]): void {
      const lastId = page.at(-1)?.actionId;
      if (lastId === undefined || next === undefined) return;
      const [nearest] = noted;
      const isFar =
        nearest === undefined || placeOfId(rows, nearest.lastId) - placeOfId(rows, lastId) >= NOTED_EVERY_ROWS;
      if (isFar) noted.unshift({ lastId, next });
    },
    /** The newest rows of a long log, with the cursor of the rows after them; nothing where the log is short enough. */
    newestPart(rows: readonly ActivityRow[]): { rows: ActivityRow[]; next: string } | undefined {
      if (rows.length <= MOST_UNREAD_ROWS) return undefined;
      const countTo = ({ lastId }: Place) => placeOfId(rows, lastId, 'after');
      const index = noted.findLastIndex((place) => countTo(place) >= LEAST_KEPT && countTo(place) <= MOST_KEPT);
      const last = noted[index];
      if (last === undefined) return undefined;
      noted = noted.slice(0, index + 1); // guard E2-51
      return { rows: rows.slice(0, countTo(last)), next: last.next };
    },
  };
}

/** Where the row with an id is among rows that stand newest first, or would be. `after`: the place behind it. */
export function placeOfId(rows: readonly ActivityRow[], id: string, side: 'at' | 'after' = 'at'): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const actionId = rows[middle]?.actionId ?? '';
    if (actionId > id || (side === 'after' && actionId === id)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The log of actions that match some filters: pages of older rows on demand, newer ones as they happen. */
export function createActivityReader(load: Load): ActivityReader {
  const state = createObservable<ActivityLog>({ rows: [], state: 'loading', failure: undefined });
  let cursor: string | undefined;
  let isLoading = false;
  /** Counts how often the log has begun anew: a page that was asked for before is not part of it. */
  let beginnings = 0;
  let lookedAtMs = Date.now();
  let isReading = false;
  const places = createPlaces();

  async function loadMore(): Promise<void> {
    if (isLoading || state.get().state === 'all') return;
    isLoading = true;
    const ofBeginning = beginnings;
    const answer = await filledPage(load, cursor);
    isLoading = false;
    if (ofBeginning !== beginnings) return loadMore();
    if (!answer.ok) {
      state.set({ ...state.get(), state: 'more', failure: answer.failure });
      return;
    }
    const { rows } = state.get();
    const older = answer.value.rows.filter(({ actionId }) => actionId < (rows.at(-1)?.actionId ?? '~'));
    cursor = answer.value.next;
    state.set({ rows: [...rows, ...older], state: cursor === undefined ? 'all' : 'more', failure: undefined });
  }

  /** Loads the newest rows. Changed rows are replaced, new rows come on top, and rows that no longer match go. */
  const refresh = createThrottled(async () => {
    if (isLoading && state.get().rows.length === 0) return;
    const startedAtMs = Date.now();
    const lively = livelyOf(state.get().rows, lookedAtMs);
    const answer = await newestRows(load, lively);
    if (!answer.ok) return;
    lookedAtMs = startedAtMs;
    const { isComplete, ...newest } = answer.value;
    if (isComplete) {
      const rows = merged(state.get().rows, newest, lively.since);
      places.note(newest, rows);
      state.set({ ...state.get(), rows, failure: undefined });
      dropUnread();
      return;
    }
    beginnings += 1;
    cursor = newest.next;
    state.set({ rows: newest.rows, state: 'more', failure: undefined });
  }, REFRESH_GAP_MS);

  /** Keeps the newest rows only, so that a page which stays open for days does not fill the memory. */
  function dropUnread(): void {
    const kept = isReading || isLoading ? undefined : places.newestPart(state.get().rows);
    if (kept === undefined) return;
    beginnings += 1;
    cursor = kept.next;
    state.set({ rows: kept.rows, state: 'more', failure: undefined });
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    loadMore,
    setReading(now) {
      isReading = now;
      if (!now) dropUnread();
    },
    watch(feed) {
      void loadMore();
      return feed.subscribe(() => void refresh());
    },
  };
}

/** The rows that may still change: the newest ones, and those down to one that has not ended. */
function livelyOf(rows: readonly ActivityRow[], lookedAtMs: number): Lively {
  const unfinished = rows.slice(0, MOST_LIVELY_ROWS).findLastIndex(({ status }) => UNFINISHED.includes(status));
  const count = Math.min(rows.length, Math.max(LIVELY_ROWS, unfinished + 1));
  const oldestOpenMs = Date.parse(rows[unfinished]?.createdAt ?? '9999-01-01');
  const since = new Date(Math.min(lookedAtMs, oldestOpenMs) - SLACK_MS).toISOString();
  return { count, oldestId: rows[count - 1]?.actionId ?? '', since };
}

/** The rows with the newest ones in their places. Rows that no longer match the filters are missing among these, and go. */
function merged(rows: readonly ActivityRow[], newest: RowPage, since: string): ActivityRow[] {
  const last = newest.rows.at(-1)?.actionId ?? '';
  // Without a cursor, these are all since that time.
  const end = newest.next === undefined ? '' : last;
  const older = rows.filter(({ actionId, createdAt }) => actionId < end || createdAt < since);
  const all = [...newest.rows, ...older];
  const isInOrder = newest.rows.length === 0 || (older[0]?.actionId ?? '') < last;
  return isInOrder ? all : all.toSorted((one, other) => (one.actionId < other.actionId ? 1 : -1));
}

/** The page that begins at a cursor. Where few actions match, a page may be empty and have a cursor: then it goes on. */
async function filledPage(load: Load, from: string | undefined): Promise<Reply<RowPage>> {
  let next = from;
  for (;;) {
    const answer = await load({ limit: PAGE_ROWS, cursor: next });
    if (!answer.ok) return answer;
    const { items, nextCursor } = answer.value;
    next = nextCursor ?? undefined;
    if (items.length > 0 || next === undefined) return { ok: true, value: { rows: items.map(toRow), next } };
  }
}

/** The newest rows down to the oldest that may still change. `isComplete`: it was reached; otherwise there are more in between. */
async function newestRows(load: Load, { count, oldestId, since }: Lively) {
  const rows: ActivityRow[] = [];
  let next: string | undefined;
  let isComplete = false;
  for (let page = 0; page < MOST_TO_CATCH_UP && !isComplete; page += 1) {
    const limit = page === 0 ? Math.min(PAGE_ROWS, count + NEW_ROWS) : PAGE_ROWS;
    const answer = await load({ limit, since, cursor: next });
    if (!answer.ok) return answer;
    rows.push(...answer.value.items.map(toRow));
    next = answer.value.nextCursor ?? undefined;
    isComplete = next === undefined || (rows.at(-1)?.actionId ?? '~') <= oldestId;
  }
  return { ok: true as const, value: { rows, next, isComplete } };
}

/** `oldestId`: of the last of these rows; empty where there are none. `since`: nothing that was requested earlier is looked at. */
type Lively = { count: number; oldestId: string; since: string };
