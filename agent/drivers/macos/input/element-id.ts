/** The way to an element of an app, as accessibility.js tells it and input-elements.js goes it again. */
export type ElementRef = { pid: number; root: string; steps: readonly string[]; print: string };

/** The id of an element in a description: the same for the same place, role and label. A step down to one of the first 36 takes one character. */
export function elementId({ pid, root, steps, print }: ElementRef): string {
  return `ax-${pid}-${root}-${steps.map(shortStep).join('')}-${print}`;
}

const MOST_CHARACTERS = 1_000;
const ID = /^ax-(\d{1,10})-(m|[cw]\d{1,10})-((?:H|[RV]?(?:[0-9a-z]|_[0-9a-z]{1,6}\.))*)-([0-9a-z]{1,7})$/;
const STEPS = /H|([RV]?)(?:([0-9a-z])|_([0-9a-z]+)\.)/g;

/** `null` for a text that is the id of no element. */
export function refOfElement(id: string): ElementRef | null {
  const [, pid, root, steps, print] = (id.length > MOST_CHARACTERS ? null : ID.exec(id)) ?? [];
  if (pid === undefined || root === undefined || steps === undefined || print === undefined) return null;
  return { pid: Number(pid), root, steps: [...steps.matchAll(STEPS)].map(longStep), print };
}

function shortStep(step: string): string {
  const [, list = '', index = ''] = /^([rvh]?)(\d*)$/.exec(step) ?? [];
  if (list === 'h') return 'H';
  const place = Number(index).toString(36);
  return `${list.toUpperCase()}${place.length === 1 ? place : `_${place}.`}`;
}

function longStep([step, list = '', one, several]: RegExpExecArray): string {
  return step === 'H' ? 'h' : `${list.toLowerCase()}${Number.parseInt(one ?? several ?? '0', 36)}`;
}
