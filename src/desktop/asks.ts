import { resolve } from 'node:path';

/** What the outside may ask of the shell: to show the dashboard, or what waits for the person. Answers are given there only. */
export type Ask = 'show' | 'review';

/** What a notification of ours offers, in this order; none of it is an answer. */
export const NOTICE_ACTIONS: readonly { text: string; ask: Ask }[] = [{ text: 'Review', ask: 'review' }];

const LINKS: ReadonlyMap<string, Ask> = new Map([
  ['handrail://show', 'show'],
  ['handrail://review', 'review'],
]);

const SWITCHES: ReadonlyMap<string, Ask> = new Map([
  ['--show', 'show'],
  ['--review', 'review'],
]);

/** Chromium adds it to the arguments of a second start. */
const ADDED_BY_CHROMIUM = /^--original-process-start-time=\d+$/;

/** What a link asks for: one of two, spelled exactly so. A link can come from any page or program. */
export function askOfLink(link: string): Ask | 'refused' {
  return LINKS.get(link.endsWith('/') ? link.slice(0, -1) : link) ?? 'refused';
}

/**
 * What a second start asks for: a plain one, to show the dashboard. `argv` is whole, with the program first; the order of what
 * comes after that is not the caller's. One word that is not known makes all of it refused.
 */
export function askOfArguments(
  argv: readonly string[],
  from: { appPath: string; workingDirectory: string },
): Ask | 'refused' {
  const isOurs = (word: string) =>
    ADDED_BY_CHROMIUM.test(word) || resolve(from.workingDirectory, word) === from.appPath;
  const asks = argv
    .slice(1)
    .filter((word) => !isOurs(word))
    .map((word) => SWITCHES.get(word) ?? askOfLink(word));
  if (asks.includes('refused')) return 'refused';
  return asks.includes('review') ? 'review' : 'show';
}

/** What was done to a notification: other programs can pretend it, and name actions that were never offered. */
export type Press = { on: 'notice' } | { on: 'action'; index: number } | { on: 'reply' };

export function askOfPress(press: Press): Ask | 'refused' {
  switch (press.on) {
    case 'notice':
      return 'review';
    case 'action':
      return NOTICE_ACTIONS[press.index]?.ask ?? 'refused';
    case 'reply':
      return 'refused';
  }
}
