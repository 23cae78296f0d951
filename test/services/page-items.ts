import { isRefusal, type Refusal } from '../../src/services/refusal.ts';
import type { JsonText, Page } from '../../src/services/work/pages.ts';

/** A page with its items as they were before they became JSON. */
export async function parsedPage<Item>(
  answer: Promise<Page<Item> | Refusal>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const page = await answer;
  if (isRefusal(page)) throw new Error(page.detail);
  return { ...page, items: page.items.map((text): Item => JSON.parse(text)) };
}

/** Values as the items of a page. */
export function asItems<Item>(values: readonly Item[]): JsonText<Item>[] {
  return values.map((value) => JSON.stringify(value));
}
