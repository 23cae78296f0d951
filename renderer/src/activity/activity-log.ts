import type { Action } from '../../../src/contract/action.ts';
import type { Feed } from '../feed/feed.ts';
import { createObservable, type Observable } from '../observable.ts';
import type { Failure, Reply } from '../wire/reply.ts';
import { createThrottled } from '../wire/throttle.ts';

/** The members that a row of the list shows. The rest of an action is loaded when it is opened, so that 100,000 rows fit into memory. */
export type ActivityRow = Pick<
  Action,
  'actionId' | 'actionType' | 'userId' | 'status' | 'details' | 'createdAt' | 'durationMs' | 'taskId'
> & { level: Action['risk']['level'] };

export type ActivityLog = {
  /** Newest first. */
  rows: readonly ActivityRow[];
  /** `more`: older rows can be loaded. `all`: there are none. */
  state: 'loading' | 'more' | 'all';
  failure: Failure | undefined;
  /** How many rows were added at the top since the log was opened. */
  added: number;
};

export type ActivityPage = { items: Action[]; nextCursor: string | null };

export type ActivityReader = Observable<ActivityLog> & {
  /** Loads the next older rows, unless they are being loaded. */
  loadMore(): Promise<void>;
  /** Keeps the log up to date until the answered function is called. */
  watch(feed: Pick<Feed, 'subscribe'>): () => void;
};

const PAGE_ROWS = 500;
const HEAD_ROWS = 100;
const REFRESH_GAP_MS = 500;

type Load = (page: { limit: number; cursor?: string }) => Promise<Reply<ActivityPage>>;

/** The log of actions that match some filters: pages of older rows on demand, newer ones as they happen. */
export function createActivityReader(load: Load): ActivityReader {
  const state = createObservable<ActivityLog>({ rows: [], state: 'loading', failure: undefined, added: 0 });
  let cursor: string | undefined;
  let isLoading = false;

  /** The next older rows. Where few actions match, a page may be empty and have a cursor: then it goes on. */
  async function nextRows(): Promise<Reply<ActivityRow[]>> {
    for (;;) {
      const answer = await load({ limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) });
      if (!answer.ok) return answer;
      cursor = answer.value.nextCursor ?? undefined;
      if (answer.value.items.length > 0 || cursor === undefined)
        return { ok: true, value: answer.value.items.map(toRow) };
    }
  }

  async function loadMore(): Promise<void> {
    if (isLoading || state.get().state === 'all') return;
    isLoading = true;
    const answer = await nextRows();
    isLoading = false;
    const { rows, added } = state.get();
    if (!answer.ok) {
      state.set({ ...state.get(), state: 'more', failure: answer.failure });
      return;
    }
    const older = answer.value.filter(({ actionId }) => actionId < (rows.at(-1)?.actionId ?? '~'));
    const isEnd = cursor === undefined;
    state.set({ rows: [...rows, ...older], state: isEnd ? 'all' : 'more', failure: undefined, added });
  }

  /** Loads the newest rows and puts them in place: changed rows are replaced, new ones come on top. */
  const refresh = createThrottled(async () => {
    if (isLoading && state.get().rows.length === 0) return;
    const answer = await load({ limit: HEAD_ROWS });
    if (!answer.ok) return;
    const { rows } = state.get();
    const head = answer.value.items.map(toRow);
    const oldest = head.at(-1)?.actionId;
    const isGap = answer.value.nextCursor !== null && oldest !== undefined && oldest > (rows[0]?.actionId ?? '');
    if (isGap) {
      // More has happened than one page holds: begin anew from here.
      cursor = answer.value.nextCursor ?? undefined;
      state.set({ rows: head, state: cursor === undefined ? 'all' : 'more', failure: undefined, added: 0 });
      return;
    }
    const next = answer.value.nextCursor === null ? merged([], head) : merged(rows, head);
    const known = new Set(rows.map(({ actionId }) => actionId));
    const added = state.get().added + head.filter(({ actionId }) => !known.has(actionId)).length;
    state.set({ ...state.get(), rows: next, added, failure: undefined });
  }, REFRESH_GAP_MS);

  return {
    get: state.get,
    subscribe: state.subscribe,
    loadMore,
    watch(feed) {
      void loadMore();
      return feed.subscribe(() => void refresh());
    },
  };
}

/** The rows with those of the head in their places. Rows that no longer match the filters have left the head. */
function merged(rows: readonly ActivityRow[], head: readonly ActivityRow[]): ActivityRow[] {
  const oldest = head.at(-1)?.actionId ?? '~';
  return [...head, ...rows.filter(({ actionId }) => actionId < oldest)];
}

function toRow(action: Action): ActivityRow {
  const { actionId, actionType, userId, status, details, createdAt, durationMs, taskId, risk } = action;
  return {
    actionId,
    actionType,
    userId,
    status,
    details,
    createdAt,
    level: risk.level,
    ...(durationMs !== undefined && { durationMs }),
    ...(taskId !== undefined && { taskId }),
  };
}
