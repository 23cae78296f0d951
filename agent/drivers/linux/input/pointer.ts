import type { Modifier } from '../../../../src/contract/key-chords.ts';
import type { Point } from '../../../../src/contract/picture-frames.ts';
import type { PointerDesk } from '../../hands/pointer.ts';
import type { MouseButton } from '../../input.ts';
import { readDisplays, type X11 } from '../x11.ts';
import type { LinuxHands } from './acting.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout } from './keyboard.ts';
import type { FakeEvent } from './seat.ts';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
/** Buttons that a wheel presses, for each direction. */
const WHEEL = { up: 4, down: 5, left: 6, right: 7 };

export function pointerDesk(x11: X11): PointerDesk<FakeEvent, LinuxHands> {
  return {
    displays: () => readDisplays(x11),
    motionTo: pixelOf,
    buttonOf: (button, isDown) => ({ kind: 'button', button: BUTTONS[button], isDown }),
    notchesOf: (dx, dy) => [...notches(dy, WHEEL.down, WHEEL.up), ...notches(dx, WHEEL.right, WHEEL.left)],
    modifiersOf: async (held, { seat }) => modifierEvents(held, await seat.layout()),
    async isAt({ seat }, point) {
      const { pointer } = await seat.state();
      const { x, y } = pixelOf(point);
      return pointer.x === x && pointer.y === y;
    },
  };
}

/** Holds the modifiers around some events. */
export function around(events: readonly FakeEvent[], held: readonly Modifier[], layout: KeyboardLayout): FakeEvent[] {
  const [down, up] = modifierEvents(held, layout);
  return [...down, ...events, ...up];
}

function modifierEvents(held: readonly Modifier[], layout: KeyboardLayout): [FakeEvent[], FakeEvent[]] {
  const finder = createKeyFinder(layout);
  const keycodes = held.flatMap((modifier) => finder.ofSymbol(KEYSYMS[modifier])?.keycode ?? []);
  const events = (isDown: boolean, codes: readonly number[]) =>
    codes.map((keycode): FakeEvent => ({ kind: 'key', keycode, isDown }));
  return [events(true, keycodes), events(false, keycodes.toReversed())];
}

/** The pixel of X11 in which a point lies. */
function pixelOf({ x, y }: Point) {
  return { kind: 'motion', x: Math.floor(x), y: Math.floor(y) } as const;
}

function notches(count: number, forward: number, back: number): FakeEvent[] {
  const button = count > 0 ? forward : back;
  const turned = [true, false].map((isDown): FakeEvent => ({ kind: 'button', button, isDown }));
  return Array.from({ length: Math.abs(count) }, () => turned).flat();
}
