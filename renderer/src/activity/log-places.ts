import type { ActivityRow } from './activity-row.ts';

/** Rows, and the cursor of the rows after them, if there are more. */
export type RowPage = { rows: ActivityRow[]; next: string | undefined };

/** So many rows are kept while nobody reads further down than the newest. */
const MOST_UNREAD_ROWS = 2_000;
const MOST_KEPT = 1_000;
const LEAST_KEPT = 80;
/** Places are noted so far apart. */
const NOTED_EVERY_ROWS = 400;

type Place = { lastId: string; next: string };

/** Places of a log from which older rows can be loaded again. */
export function createPlaces() {
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
      noted = noted.slice(0, index + 1);
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
