import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { closed, oneOf } from '../contract/literals.ts';

/** What the outside may ask of the shell: to show the dashboard, or what waits for the person. Answers are given there only. */
export type Ask = 'show' | 'review';

/** What a notification of ours offers, in this order; none of it is an answer. */
export const NOTICE_ACTIONS: readonly { text: string; ask: Ask }[] = [{ text: 'Review', ask: 'review' }];

const LINKS: ReadonlyMap<string, Ask> = new Map([
  ['handrail://show', 'show'],
  ['handrail://review', 'review'],
]);

/** What a link asks for: one of two, spelled exactly so. A link can come from any page or program. */
export function askOfLink(link: string): Ask | 'refused' {
  return LINKS.get(link.endsWith('/') ? link.slice(0, -1) : link) ?? 'refused';
}

const SecondStart = Type.Object({ ask: oneOf(['show', 'review']) }, closed);
const secondStart = Compile(SecondStart);

/**
 * What a start hands to the app that already runs, with `requestSingleInstanceLock`: what the person typed, as far as it is known.
 * Kept to one short word: electron has mistaken longer data of a second start for a dead first one.
 */
export function secondStartData(words: readonly string[]): { ask: Ask | 'refused' } {
  const link = words.find((word) => /^handrail:/i.test(word));
  if (link !== undefined) return { ask: askOfLink(link) };
  return { ask: words.includes('--review') ? 'review' : 'show' };
}

/**
 * What a second start asks for, by the data that it handed over. Its arguments are not read: macOS and Chromium add switches of
 * their own. Data of any other shape comes from another program and is refused.
 */
export function askOfSecondStart(additionalData: unknown): Ask | 'refused' {
  return secondStart.Check(additionalData) ? additionalData.ask : 'refused';
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
