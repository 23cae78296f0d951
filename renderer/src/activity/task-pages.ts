import type { Reply } from '../../../src/client/reply.ts';
import type { Task } from '../../../src/contract/task.ts';

export type TaskPage = { items: Task[]; nextCursor: string | null };

/** `hasOlder`: there are tasks after the last one. */
export type TaskPages = { items: Task[]; hasOlder: boolean };

type Load = (cursor: string | undefined) => Promise<Reply<TaskPage>>;

/**
 * The tasks of the newest pages. All pages are loaded anew each time. A new task moves each older one by a place, so pages of
 * different moments would leave tasks out. Fails where one of the pages cannot be loaded.
 */
export async function newestTaskPages(load: Load, pages: number): Promise<Reply<TaskPages>> {
  const items: Task[] = [];
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
