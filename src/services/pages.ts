import { isRefusal, type Refusal } from './refusal.ts';
import type { Page, PageRequest } from './services.ts';

/** Greater than every id. */
const BEYOND = '~';
/** A page with more in it ends before its limit: however large its items are, others are answered meanwhile. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Rows read at a time. */
const PIECE = 50;

/**
 * Answers one page of rows that `read` gives newest first, those before an id. The cursor is the id of the last one, in base64url. A
 * page is shorter than its limit where there are no more, and then has no cursor, or where more would be too much at once.
 */
export function readPage<Row extends { id: string }, Item>(
  { cursor, limit }: PageRequest,
  steps: { read(beforeId: string, limit: number): Row[]; view(row: Row): Item },
): Page<Item> | Refusal {
  let beforeId = cursor === undefined ? BEYOND : decoded(cursor);
  if (isRefusal(beforeId)) return beforeId;
  const items: Item[] = [];
  let characters = 0;
  for (;;) {
    const wanted = Math.min(PIECE, limit - items.length);
    const rows = steps.read(beforeId, wanted + 1);
    for (const row of rows.slice(0, wanted)) {
      const item = steps.view(row);
      characters += JSON.stringify(item).length;
      if (characters > MOST_CHARACTERS && items.length > 0) return { items, nextCursor: encoded(beforeId) };
      items.push(item);
      beforeId = row.id;
    }
    if (rows.length <= wanted) return { items, nextCursor: null };
    if (items.length === limit) return { items, nextCursor: encoded(beforeId) };
  }
}

const encoded = (id: string) => Buffer.from(id).toString('base64url');

function decoded(cursor: string): string | Refusal {
  const id = Buffer.from(cursor, 'base64url').toString();
  return /^[a-z]{3}_[0-9A-Z]{26}$/.test(id)
    ? id
    : {
        refused: 'bad_request',
        detail: 'cursor should be the nextCursor of an earlier page; leave it out to begin again',
      };
}
