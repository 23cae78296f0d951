import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Page } from '../services/services.ts';

/** A page as it goes out, with what was noticed while its query was read. */
export function listAnswer<Item>(
  page: Page<Item> | Refusal,
  notices: string[],
): (Page<Item> & { notices?: string[] }) | Refusal {
  return isRefusal(page) || notices.length === 0 ? page : { ...page, notices };
}
