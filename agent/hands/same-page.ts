import type { Control } from '../../src/contract/screen.ts';
import type { InputDriver } from '../drivers/input.ts';
import type { Attempt, Failed } from '../drivers/outcome.ts';
import { pagesOf } from '../targets/control.ts';

type Pages = Pick<Control, 'url' | 'documents'>;

export function isInPage({ url, documents }: Pages): boolean {
  return url !== undefined || documents !== undefined;
}

/** Whether two controls are in the same documents. Many pages change the query or the fragment of their own address while one types. */
export function isSamePage(one: Pages, other: Pages): boolean {
  return JSON.stringify(addressesOf(one)) === JSON.stringify(addressesOf(other));
}

function addressesOf({ url = '', documents = [] }: Pages): string[] {
  return [url, ...documents].map((address) => address.split(/[?#]/u)[0] ?? '');
}

/** The look between the keys that are meant for a page: a key may lead to another page. None where the judged control is in no page. */
export function pageWatch(
  judged: Control,
  { input, attempt }: { input: InputDriver; attempt: Attempt },
): (() => Promise<Failed | null>) | undefined {
  if (!isInPage(judged)) return undefined;
  return async () => {
    const found = await input.focusDocuments(attempt);
    if (!found.ok) return found;
    return isSamePage(pagesOf(found.data), judged) ? null : ANOTHER_PAGE;
  };
}

const ANOTHER_PAGE: Failed = {
  ok: false,
  code: 'target_changed',
  message: 'The keyboard is no longer in the page that was judged. No more keys were sent.',
  fix: 'Look at the screen again.',
  sideEffect: 'none',
};
