import { folded } from '../../../src/contract/near-names.ts';
import type { Driver } from '../driver.ts';
import type { InputDriver } from '../input.ts';
import { type FindDesk, hasTitle, isAllTold } from './find-control.ts';
import { refused } from './input-outcome.ts';

const MOST_ELEMENTS = 10_000;

/** Named controls as a description of the screen tells them; pages are not scrolled. */
export function describedDesk(describeScreen: Driver['describeScreen'], sight: InputDriver['sight']): FindDesk {
  return {
    sight,
    async places(name, attempt) {
      const described = await describeScreen({ contents: true, maxElements: MOST_ELEMENTS }, attempt);
      if (!described.ok) return refused(described);
      const { windows, elements, degradedReasons } = described.data;
      const wanted = windows.filter(({ app, title }) => folded(app) === folded(name.app) && hasTitle(title, name));
      const ids = new Set(wanted.map(({ id }) => id));
      const inside = elements.filter(({ windowId }) => windowId !== null && ids.has(windowId));
      return { elements: inside, inPages: [], isWhole: isAllTold(degradedReasons) };
    },
    reveal: async () => undefined,
  };
}
