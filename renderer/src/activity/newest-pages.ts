import type { Reply } from '../../../src/client/call.ts';

/** `hasOlder`: there are items after the last one. */
type Pages<Item> = { items: Item[]; hasOlder: boolean };

type Load<Item> = (cursor: string | undefined) => Promise<Reply<{ items: Item[]; nextCursor: string | null }>>;

/**
 * The items of the newest pages. All of them are loaded anew each time: a new item moves each older one by one place, so that pages
 * of different moments would leave items out. Fails where one of the pages cannot be loaded.
 */
export async function newestPages<Item>(load: Load<Item>, pages: number): Promise<Reply<Pages<Item>>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const answer = await load(cursor);
    if (!answer.ok) return answer;
    items.push(...answer.value.items);
    cursor = answer.value.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { ok: true, value: { items, hasOlder: cursor !== undefined } };
}
