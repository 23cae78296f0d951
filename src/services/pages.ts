import { isRefusal, type Refusal } from './refusal.ts';
import type { Page, PageRequest } from './services.ts';

/** Greater than every id. */
const BEYOND = '~';

/** Answers one page of rows that `read` gives newest first, those before an id. The cursor is that id, in base64url. */
export function readPage<Row extends { id: string }, Item>(
  request: PageRequest,
  steps: { read(beforeId: string, limit: number): Row[]; view(row: Row): Item },
): Page<Item> | Refusal {
  const beforeId = request.cursor === undefined ? BEYOND : decoded(request.cursor);
  if (isRefusal(beforeId)) return beforeId;
  const rows = steps.read(beforeId, request.limit + 1);
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(steps.view),
    nextCursor: rows.length > shown.length && last !== undefined ? Buffer.from(last.id).toString('base64url') : null,
  };
}

function decoded(cursor: string): string | Refusal {
  const id = Buffer.from(cursor, 'base64url').toString();
  return /^[a-z]{3}_[0-9A-Z]{26}$/.test(id)
    ? id
    : {
        refused: 'bad_request',
        detail: 'cursor should be the nextCursor of an earlier page; leave it out to begin again',
      };
}
