import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { closed, oneOf } from '../contract/literals.ts';

/**
 * The requests that other programs may make to the shell: to show the dashboard, or the prompts. A prompt is answered there
 * only.
 */
export type Ask = 'show' | 'review';

/** The actions of a notification, in this order; none of them answers a prompt. */
export const NOTICE_ACTIONS: readonly { text: string; ask: Ask }[] = [{ text: 'Review', ask: 'review' }];

const LINKS: ReadonlyMap<string, Ask> = new Map([
  ['handrail://show', 'show'],
  ['handrail://review', 'review'],
]);

/** The request in a link: one of two, spelled exactly so. A link can come from any page or program. */
export function askOfLink(link: string): Ask | 'refused' {
  return LINKS.get(link.endsWith('/') ? link.slice(0, -1) : link) ?? 'refused'; // guard A2-3
}

const SecondStart = Type.Object({ ask: oneOf(['show', 'review']) }, closed);
const secondStart = Compile(SecondStart);

/**
 * The data that a second start hands to the running app, with `requestSingleInstanceLock`: the words that the person typed,
 * as far as they are known. Kept to one short word: electron has mistaken longer data of a second start for a dead first
 * one.
 */
export function secondStartData(words: readonly string[]): { ask: Ask | 'refused' } {
  const link = words.find((word) => /^handrail:/i.test(word));
  if (link !== undefined) return { ask: askOfLink(link) };
  return { ask: words.includes('--review') ? 'review' : 'show' };
}

/**
 * The request in the data of a second start. Its arguments are not read: macOS and Chromium add switches of their own. Data
 * of any other shape comes from another program and is refused.
 */
export function askOfSecondStart(additionalData: unknown): Ask | 'refused' {
  return secondStart.Check(additionalData) ? additionalData.ask : 'refused'; // guard A2-4
}

/** A click on a notification: other programs can pretend it, and name actions that were never offered. */
type Press = { on: 'notice' } | { on: 'action'; index: number } | { on: 'reply' };

export function askOfPress(press: Press): Ask | 'refused' {
  switch (press.on) {
    case 'notice':
      return 'review';
    case 'action':
      return NOTICE_ACTIONS[press.index]?.ask ?? 'refused'; // guard A2-5
    case 'reply':
      return 'refused';
  }
}

type AskReceiver = {
  carryOut(ask: Ask): void;
  /** A request that could only be an attempt to approve in the person's place. */
  refused(): void;
};

/**
 * Keeps the requests that arrive before the app can carry them out, such as the link that started it. It carries out the latest
 * of several early requests, because one window can be in front. Every refused request is counted.
 */
export function createEarlyAsks(): { receive(ask: Ask | 'refused'): void; open(receiver: AskReceiver): void } {
  let receiver: AskReceiver | undefined;
  let early: { refused: number; ask?: Ask } = { refused: 0 };
  return {
    receive(ask) {
      if (receiver === undefined) {
        early = ask === 'refused' ? { ...early, refused: early.refused + 1 } : { ...early, ask };
      } else if (ask === 'refused') receiver.refused();
      else receiver.carryOut(ask);
    },
    open(opened) {
      receiver = opened;
      const { refused, ask } = early;
      early = { refused: 0 };
      for (let count = 0; count < refused; count += 1) opened.refused();
      if (ask !== undefined) opened.carryOut(ask);
    },
  };
}
