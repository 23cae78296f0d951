import type { DegradedReason, ScreenElement } from '../../../src/contract/screen.ts';
import { mark } from './missing.ts';

/** Roles whose entries are counted where they are not told. */
export const LISTS: ReadonlySet<string> = new Set(['grid', 'list', 'listbox', 'table', 'tree', 'treegrid']);

/** Some entries that are told lie between them. */
export type Beyond = NonNullable<ScreenElement['beyond']>;

export const LIST_GOES_ON: DegradedReason = {
  code: 'list_goes_on',
  message: 'A list has more entries than are told.',
  fix: 'Scroll the list, and ask again.',
};

/** The first elements. A list that loses entries says how many more there are below; another element says that something is cut. */
export function firstElements(elements: readonly ScreenElement[], most: number): ScreenElement[] {
  const lost = new Map<string, number>();
  for (const { parentId, role } of elements.slice(most)) {
    if (parentId !== null) lost.set(parentId, (lost.get(parentId) ?? 0) + (role === 'columnheader' ? 0 : 1));
  }
  return elements.slice(0, most).map((element) => {
    const count = lost.get(element.id);
    if (count === undefined) return element;
    const cut = { ...element };
    const { above, below } = element.beyond ?? { above: 0, below: 0 };
    if (LISTS.has(element.role) && count > 0) cut.beyond = { above, below: below + count };
    else mark(cut, 'elements_cut');
    return cut;
  });
}
