import type { Point } from '../../../../src/contract/frames.ts';
import type { PointerDesk } from '../../hands/pointer.ts';
import type { MouseButton } from '../../input.ts';
import type { MacHands } from './acting.ts';
import type { InputEvent } from './events.ts';
import { modifierEvents } from './virtual-keys.ts';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 0, right: 1, middle: 2 };
/** An event that was posted arrives within this time. */
const ARRIVAL_MS = 30;

export const pointerDesk: PointerDesk<InputEvent, MacHands> = {
  displays: async ({ displays }) => displays,
  motionTo: ({ x, y }) => ({ kind: 'move', x, y }),
  buttonOf: (button, isDown, clicks) => ({ kind: 'button', button: BUTTONS[button], isDown, clicks }),
  notchesOf,
  modifiersOf: async (held) => modifierEvents(held),
  async isAt({ send, pause }, point) {
    if (isNear((await send([])).pointer, point)) return true;
    await pause(ARRIVAL_MS);
    return isNear((await send([])).pointer, point);
  },
};

/** One event for each notch, as a wheel makes them. */
function notchesOf(dx: number, dy: number): InputEvent[] {
  const down = Array.from({ length: Math.abs(dy) }, (): InputEvent => ({ kind: 'scroll', dx: 0, dy: Math.sign(dy) }));
  const right = Array.from({ length: Math.abs(dx) }, (): InputEvent => ({ kind: 'scroll', dx: Math.sign(dx), dy: 0 }));
  return [...down, ...right];
}

/** macOS may keep a fraction of a point or drop it. */
function isNear(pointer: Point, { x, y }: Point): boolean {
  return Math.abs(pointer.x - x) <= 1 && Math.abs(pointer.y - y) <= 1;
}
