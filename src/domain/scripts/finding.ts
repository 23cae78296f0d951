/** Dangers that reach beyond the files of the script's folder, or that nobody can see afterwards: critical risk. */
export const GRAVE = [
  'credentials',
  'sends',
  'persists',
  'protection',
  'accounts',
  'encrypts',
  'records',
  'hides',
] as const;

/** The kinds of danger, the gravest first: the order in which a prompt names them. */
export const DANGERS = [
  'deletes',
  ...GRAVE,
  'overwrites',
  'installs',
  'stops',
  'runs',
  'changes',
  'reads',
  'looks',
] as const;
export type Danger = (typeof DANGERS)[number];

/** A danger in a script, "deletes ~/notes.txt": in a line, which counts from 1, or in a variable that is set for it. */
export type Finding = { danger: Danger; words: string } & ({ line: number } | { variable: string });

/** Takes the findings of one analysis. It is bounded, because a hostile script can hold any number of them. */
export type Notebook = {
  note(danger: Danger, words: string, line: number): void;
  /** Takes work, counted in characters, off the budget of the whole analysis. False: none is left, and the analysis ends early. */
  spend(work: number): boolean;
};

const LONGEST_OBJECT = 90;
const MOST_LOOKED_AT = 2_000;

/** A name for a sentence: one line, cut in the middle. */
export function shortened(text: string): string {
  const ends =
    text.length <= MOST_LOOKED_AT ? text : `${text.slice(0, MOST_LOOKED_AT / 2)}…${text.slice(-MOST_LOOKED_AT / 2)}`;
  const line = ends.replace(/\s+/gu, ' ').trim();
  if (line.length <= LONGEST_OBJECT) return line;
  const half = (LONGEST_OBJECT - 1) / 2;
  return `${line.slice(0, Math.ceil(half))}…${line.slice(-Math.floor(half))}`;
}

const MOST_NAMED = 4;

/** The first names of a list, and the number of the others. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(shortened).join(', ');
  const rest = names.length - MOST_NAMED;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
