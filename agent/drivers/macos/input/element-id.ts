/** The way to an element of an app, as accessibility.js tells it and input-elements.js goes it again. */
export type ElementRef = { pid: number; root: string; steps: readonly string[]; print: string };

/** The id of an element in a description: the same for the same place, role and label. */
export function elementId({ pid, root, steps, print }: ElementRef): string {
  return `ax-${pid}-${root}-${steps.join('.')}-${print}`;
}

const MOST_CHARACTERS = 1_000;
const ID = /^ax-(\d{1,10})-(m|[cw]\d{1,10})-([\w.]*)-([0-9a-z]{1,7})$/;

/** `null` for a text that is the id of no element. */
export function refOfElement(id: string): ElementRef | null {
  const [, pid, root, steps, print] = (id.length > MOST_CHARACTERS ? null : ID.exec(id)) ?? [];
  if (pid === undefined || root === undefined || steps === undefined || print === undefined) return null;
  return { pid: Number(pid), root, steps: steps === '' ? [] : steps.split('.'), print };
}
