import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { createSlice } from './turns.ts';

export type PageRequest = { limit: number; cursor?: string };
/** A value as JSON. The type keeps which value it is. */
export type JsonText<Value> = string & { readonly valueType?: Value };
/** The items are JSON already, so that a long list is turned into JSON once and in slices. */
export type Page<Item> = { items: JsonText<Item>[]; nextCursor: string | null };

/** Greater than every id. */
export const BEYOND = '~';
/** A page with more in it ends before its limit: however large its items are, other calls are answered meanwhile. */
export const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Rows read at a time. A task comes with up to a hundred steps. */
const ROWS_AT_A_TIME = 3;

type Steps<Row, Item> = {
  read(beforeId: string, limit: number): Row[];
  view(row: Row): Item;
  /** Rows read at a time; more where each row is small. */
  rowsAtATime?: number;
  /** When the next slice may begin: in the next turn of the event loop, or in the requester's turn. */
  pause?: () => Promise<void>;
};

/**
 * Answers one page of rows that `read` gives newest first, those before an id. The cursor is the id of the last one, in base64url.
 * A page is shorter than its limit at the end of the rows, where it has no cursor, and where more would be too much at once. It is
 * built in slices, and each item becomes JSON once.
 */
export async function readPage<Row extends { id: string }, Item>(
  { clock }: Pick<Context, 'clock'>,
  { cursor, limit }: PageRequest,
  { read, view, rowsAtATime = ROWS_AT_A_TIME, pause }: Steps<Row, Item>,
): Promise<Page<Item> | Refusal> {
  let beforeId = cursor === undefined ? BEYOND : idOfCursor(cursor);
  if (isRefusal(beforeId)) return beforeId;
  const slice = createSlice(clock, pause);
  const items: JsonText<Item>[] = [];
  let characters = 0;
  // One row more than the page has tells whether there is another page.
  for (const row of rowsBefore(beforeId, limit + 1, { read, rowsAtATime })) {
    if (items.length === limit) return { items, nextCursor: cursorOf(beforeId) };
    const item: JsonText<Item> = JSON.stringify(view(row));
    characters += item.length;
    if (characters > MOST_CHARACTERS && items.length > 0) return { items, nextCursor: cursorOf(beforeId) };
    items.push(item);
    beforeId = row.id;
    if (slice.isOver()) await slice.next();
  }
  return { items, nextCursor: null };
}

/** Up to `most` rows, read a few at a time when they are wanted. */
function* rowsBefore<Row extends { id: string }>(
  firstId: string,
  most: number,
  { read, rowsAtATime }: { read(beforeId: string, limit: number): Row[]; rowsAtATime: number },
): Generator<Row> {
  let beforeId = firstId;
  for (let left = most; left > 0; left -= rowsAtATime) {
    const wanted = Math.min(rowsAtATime, left);
    const rows = read(beforeId, wanted);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < wanted) return;
    beforeId = last.id;
  }
}

/** The cursor of the page that goes on before an id. */
export const cursorOf = (id: string) => Buffer.from(id).toString('base64url');

/** The id in a cursor, or why it is none of ours. */
export function idOfCursor(cursor: string): string | Refusal {
  const id = Buffer.from(cursor, 'base64url').toString();
  return /^[a-z]{3}_[0-9A-Z]{26}$/.test(id)
    ? id
    : {
        refused: 'bad_request',
        detail: 'cursor should be the nextCursor of an earlier page; leave it out to begin again',
      };
}
