import { displayAt, type Point } from '../../../../src/contract/frames.ts';
import type { Modifier } from '../../../../src/contract/key-chords.ts';
import type { InputDriver, MouseButton } from '../../input.ts';
import { doneInPart, inputDone, pressedSoFar, refused, stoppedInput } from '../../input-outcome.ts';
import { readDisplays } from '../displays.ts';
import type { X11 } from '../x11.ts';
import { type Acting, pauseUnless } from './acting.ts';
import type { FakeEvent } from './fake-events.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout } from './keyboard.ts';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
/** Buttons that a wheel presses, for each direction. */
const WHEEL = { up: 4, down: 5, left: 6, right: 7 };
const MOST_NOTCHES = 100;
/** So many places on the way to the next point: an app sees a drag only in motions. */
const STEPS = 10;
const STEP_MS = 4;

export function createPointer(
  acting: Acting,
  x11: X11,
): Pick<InputDriver, 'movePointer' | 'click' | 'drag' | 'scroll'> {
  const offScreen = async (points: readonly Point[]) => {
    const displays = await readDisplays(x11);
    const out = points.find((point) => displayAt(displays, point) === undefined);
    return out === undefined ? undefined : refused(outside(out));
  };
  return {
    movePointer: ({ to }, attempt) =>
      acting.act(attempt, async (turn) => {
        const { seat } = turn;
        const refusal = await offScreen([to]);
        if (refusal !== undefined) return refusal;
        const objection = await turn.objection();
        if (objection !== undefined) return objection;
        await seat.send([motionTo(to)]);
        const { pointer } = await seat.state();
        const isConfirmed = pointer.x === Math.floor(to.x) && pointer.y === Math.floor(to.y);
        return inputDone('The pointer was moved.', { isConfirmed, data: {}, safeToRepeat: true });
      }),
    click: ({ at, button = 'left', count = 1, modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const refusal = await offScreen([at]);
        if (refusal !== undefined) return refusal;
        const events = around([motionTo(at), ...pressOf(BUTTONS[button])], modifiers, await turn.seat.layout());
        return acting.withEffect(turn, `Clicked with the ${button} button.`, async () => {
          await turn.seat.send(events);
          // By the first press the control may have become another one.
          for (let pressed = 1; pressed < count; pressed += 1) {
            const objection = await turn.objection();
            if (objection !== undefined) return doneInPart(objection, pressedSoFar(pressed));
            await turn.seat.send(events);
          }
          return undefined;
        });
      }),
    drag: ({ path, button = 'left', modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const { seat, signal } = turn;
        const [start] = path;
        const refusal = start === undefined || path.length < 2 ? refused(TOO_SHORT) : await offScreen(path);
        if (start === undefined || refusal !== undefined) return refusal ?? refused(TOO_SHORT);
        const [down, up] = modifierEvents(modifiers, await seat.layout());
        return acting.withEffect(turn, `Dragged with the ${button} button.`, async () => {
          await seat.send([...down, motionTo(start), { kind: 'button', button: BUTTONS[button], isDown: true }]);
          for (const point of between(path)) {
            await pauseUnless(signal, STEP_MS);
            if (signal.aborted) return stoppedInput(signal, 'The button was pressed, and was let go on the way.');
            await seat.send([motionTo(point)]);
          }
          await seat.send([{ kind: 'button', button: BUTTONS[button], isDown: false }, ...up]);
          return undefined;
        });
      }),
    scroll: ({ at, dx, dy, modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const isFit = [dx, dy].every((notches) => Number.isInteger(notches) && Math.abs(notches) <= MOST_NOTCHES);
        const refusal = isFit ? await offScreen([at]) : refused(TOO_MANY_NOTCHES);
        if (refusal !== undefined) return refusal;
        const turns = [...notches(dy, WHEEL.down, WHEEL.up), ...notches(dx, WHEEL.right, WHEEL.left)];
        const events = around([motionTo(at), ...turns], modifiers, await turn.seat.layout());
        return acting.withEffect(turn, 'Scrolled.', async () => {
          await turn.seat.send(events);
          return undefined;
        });
      }),
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
function motionTo({ x, y }: Point): FakeEvent {
  return { kind: 'motion', x: Math.floor(x), y: Math.floor(y) };
}

function pressOf(button: number): FakeEvent[] {
  return [true, false].map((isDown) => ({ kind: 'button', button, isDown }));
}

function notches(count: number, forward: number, back: number): FakeEvent[] {
  return Array.from({ length: Math.abs(count) }, () => pressOf(count > 0 ? forward : back)).flat();
}

function between(path: readonly Point[]): Point[] {
  return path.slice(1).flatMap((to, index) => {
    const from = path[index] ?? to;
    return Array.from({ length: STEPS }, (_, step) => {
      const share = (step + 1) / STEPS;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    });
  });
}

function outside({ x, y }: Point) {
  const message = `Expected a point on a display, got ${x}, ${y}.`;
  return { code: 'coordinates_off_screen', message, fix: 'Take a new look.' } as const;
}

const TOO_SHORT = { code: 'invalid_target', message: 'Expected a path of at least two points.' } as const;
const TOO_MANY_NOTCHES = {
  code: 'invalid_target',
  message: `Expected whole notches, at most ${MOST_NOTCHES} in each direction.`,
} as const;
