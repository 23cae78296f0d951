import type { Ask } from './asks.ts';

export type AskReceiver = {
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
