import type { PointerState, XTest } from 'x11';
import type { Point } from '../../../../src/contract/frames.ts';
import { DisplayLostError, type OwnXLine, openXLine } from '../x-session.ts';
import { type FakeEvent, type Held, isHolding, mayBeHeld, releaseOf, wireOf } from './fake-events.ts';
import { heldByPrograms } from './held-by-programs.ts';
import type { KeyboardLayout } from './keyboard.ts';
import { createPersonWatch, type PersonWatch } from './person-watch.ts';
import { type ReleaseGuard, startReleaseGuard } from './release-guard.ts';

/** Pointer and keyboard of one X server. Rejects with DisplayLostError when the server is gone. */
export type Seat = {
  line: OwnXLine;
  person: PersonWatch | null;
  layout(): Promise<KeyboardLayout>;
  state(): Promise<{ pointer: Point; modifiers: number; held: boolean }>;
  /** The window that has the keyboard. */
  holder(): Promise<number>;
  /**
   * Resolves when the server has taken all of them. All keys and buttons are let go even if this process is killed in the middle. With
   * `only`, nothing is sent and the answer is false while another window has the keyboard.
   */
  send(events: readonly FakeEvent[], only?: number): Promise<boolean>;
  /** Lets go of everything that `send` left down. */
  releaseAll(): Promise<void>;
  isLost(): boolean;
  close(): Promise<void>;
};

const CAPS_LOCK = 2;
/** Shift, Control and the five others, without Caps Lock (2) and NumLock (16). */
const HELD_MODIFIERS = 1 | 4 | 8 | 32 | 64 | 128;
const BUTTONS = 0x1f00;

export async function openSeat(display: string): Promise<Seat> {
  const line = await openXLine(display);
  const test = await line.ask<XTest>((client, reply) => client.require('xtest', reply));
  if (test === null) {
    line.close();
    throw new DisplayLostError(`The display ${display} has no XTEST extension.`);
  }
  let held: ReadonlySet<Held> = new Set();
  let guard: Promise<ReleaseGuard> | undefined;
  const pointer = () => known(line.ask<PointerState>((client, reply) => client.QueryPointer(line.root, reply)));
  async function guardNow(): Promise<ReleaseGuard> {
    const start = () => startReleaseGuard(display, test?.majorOpcode ?? 0);
    guard = guard === undefined ? start() : guard.then((known) => (known.isLost() ? start() : known), start);
    return guard;
  }

  async function holder(): Promise<number> {
    return (await known(line.ask<{ focus: number }>((client, reply) => client.GetInputFocus(reply)))).focus;
  }

  async function send(events: readonly FakeEvent[], only?: number): Promise<boolean> {
    // The server may take a part of the events and drop the rest, when this process dies. So a press is guarded before it is sent.
    const down = mayBeHeld(events, held);
    if (down.size > 0) await (await guardNow()).arm(releaseOf(down));
    const isTheirs = only === undefined || (await holder()) === only;
    if (isTheirs) {
      held = isHolding(events, held);
      line.together(() => {
        for (const event of events) {
          const { type, detail, x, y } = wireOf(event);
          test?.FakeInput(type, detail, 0, 0, x, y);
        }
      });
      await holder();
    }
    if (held.size < down.size) await (await guardNow()).arm(releaseOf(held));
    return isTheirs;
  }
  // A program that was killed with its guard may have left them down.
  await send(releaseOf(await heldByPrograms(line)));
  return {
    line,
    person: await createPersonWatch(line),
    holder,
    send,
    async layout() {
      const { first, last } = line.keycodes;
      const [rows, { keyMask }] = await Promise.all([
        known(line.ask<number[][]>((client, reply) => client.GetKeyboardMapping(first, last - first + 1, reply))),
        pointer(),
      ]);
      return { firstKeycode: first, rows, group: (keyMask >> 13) & 3, hasCapsLock: (keyMask & CAPS_LOCK) !== 0 };
    },
    async state() {
      const { rootX, rootY, keyMask } = await pointer();
      const modifiers = keyMask & HELD_MODIFIERS;
      return { pointer: { x: rootX, y: rootY }, modifiers, held: modifiers !== 0 || (keyMask & BUTTONS) !== 0 };
    },
    async releaseAll() {
      if (held.size > 0) await send(releaseOf(held));
    },
    isLost: () => line.isLost(),
    async close() {
      await (await guard?.catch(() => undefined))?.close();
      line.close();
    },
  };
}

async function known<Value>(answer: Promise<Value | null>): Promise<Value> {
  const value = await answer;
  if (value === null) throw new DisplayLostError('The display refused a question about the keyboard.');
  return value;
}
