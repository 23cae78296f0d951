import type { FastifyReply } from 'fastify';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Page } from '../services/work/pages.ts';

/** A page as it is sent, with the notices about its query. Its items are JSON already, and are joined without another look at them. */
export function listAnswer<Item>(
  reply: FastifyReply,
  page: Page<Item> | Refusal,
  notices: readonly string[],
): string | Refusal {
  if (isRefusal(page)) return page;
  reply.type('application/json; charset=utf-8');
  const rest = { nextCursor: page.nextCursor, ...(notices.length > 0 && { notices }) };
  return `{"items":[${page.items.join(',')}],${JSON.stringify(rest).slice(1)}`;
}
