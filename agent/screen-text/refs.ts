import type { ScreenElement } from '../../src/contract/screen.ts';

type Named = Pick<ScreenElement, 'role' | 'name'>;

/** Where a reference leads in the latest frame. */
export type Found = { kind: 'element'; elementId: string } | { kind: 'gone' } | { kind: 'unknown' };

/**
 * Numbers for elements. An element keeps its number from frame to frame while it is there with the same role and name, and no number is
 * ever given twice, so that one of an old frame cannot lead to something else.
 */
export function createRefs() {
  let latest = new Map<string, Named>();
  let numbers = new Map<string, number>();
  let given = 0;

  return {
    /** Takes the elements of a new frame. */
    renew(elements: readonly ScreenElement[]): void {
      const before = latest;
      latest = new Map(elements.map(({ id, role, name }) => [id, { role, name }]));
      const isSame = (id: string) =>
        before.get(id)?.role === latest.get(id)?.role && before.get(id)?.name === latest.get(id)?.name;
      numbers = new Map([...numbers].filter(([id]) => latest.has(id) && isSame(id)));
    },
    /** The number of an element of the latest frame. */
    of(elementId: string): number {
      const known = numbers.get(elementId) ?? ++given;
      numbers.set(elementId, known);
      return known;
    },
    find(number: number): Found {
      const known = [...numbers].find(([, each]) => each === number);
      if (known !== undefined) return { kind: 'element', elementId: known[0] };
      return number >= 1 && number <= given ? { kind: 'gone' } : { kind: 'unknown' };
    },
  };
}

/** The numbers that this agent has given in its descriptions and its marked pictures. */
export const REFS = createRefs();

/** A model reads elements by `@ref` alone, or sees the number in a picture. One that leads nowhere stays as it is: no element has such an id. */
export function elementIdOf(written: string, refs: Pick<ReturnType<typeof createRefs>, 'find'> = REFS): string {
  const [, number] = /^@(\d{1,9})$/.exec(written) ?? [];
  const found = number === undefined ? undefined : refs.find(Number(number));
  return found?.kind === 'element' ? found.elementId : written;
}
