import type { Point } from '../../../../src/contract/frames.ts';
import type { Modifier } from '../../../../src/contract/key-chords.ts';
import type { InputDriver, MouseButton } from '../../input.ts';
import { doneInPart, inputDone, pressedSoFar, refused, stoppedInput } from '../../input-outcome.ts';
import { type Acting, offScreen } from './acting.ts';
import type { InputEvent } from './events.ts';
import { modifierEvents } from './virtual-keys.ts';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 0, right: 1, middle: 2 };
const MOST_NOTCHES = 100;
/** So many places on the way to the next point: an app sees a drag only in motions. */
const STEPS = 10;
const STEP_MS = 4;
/** An event that was posted arrives within this time. */
const ARRIVAL_MS = 30;

export function createPointer(acting: Acting): Pick<InputDriver, 'movePointer' | 'click' | 'drag' | 'scroll'> {
  return {
    movePointer: ({ to }, attempt) =>
      acting.act(attempt, async (turn) => {
        const refusal = offScreen(turn, [to]);
        if (refusal !== undefined) return refusal;
        const objection = await turn.objection();
        if (objection !== undefined) return objection;
        let { pointer } = await turn.post([motionTo(to)]);
        if (!isAt(pointer, to)) {
          await turn.pause(ARRIVAL_MS);
          pointer = (await turn.post([])).pointer;
        }
        const isConfirmed = isAt(pointer, to);
        return inputDone('The pointer was moved.', { isConfirmed, data: {}, safeToRepeat: true });
      }),
    click: ({ at, button = 'left', count = 1, modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const refusal = offScreen(turn, [at]);
        if (refusal !== undefined) return refusal;
        const [down, up] = modifierEvents(modifiers);
        const press = (nth: number) =>
          turn.post([
            ...(nth === 1 ? [...down, motionTo(at)] : []),
            ...pressOf(BUTTONS[button], nth),
            ...(nth === count ? up : []),
          ]);
        return acting.withEffect(turn, `Clicked with the ${button} button.`, async () => {
          await press(1);
          // By the first press the control may have become another one.
          for (let pressed = 1; pressed < count; pressed += 1) {
            const objection = await turn.objection();
            if (objection !== undefined) return doneInPart(objection, pressedSoFar(pressed));
            await press(pressed + 1);
          }
          return undefined;
        });
      }),
    drag: ({ path, button = 'left', modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const [start] = path;
        const refusal = start === undefined || path.length < 2 ? refused(TOO_SHORT) : offScreen(turn, path);
        if (start === undefined || refusal !== undefined) return refusal ?? refused(TOO_SHORT);
        const [down, up] = modifierEvents(modifiers);
        const [press, release] = pressOf(BUTTONS[button], 1);
        return acting.withEffect(turn, `Dragged with the ${button} button.`, async () => {
          await turn.post([...down, motionTo(start), press]);
          for (const point of between(path)) {
            await turn.pause(STEP_MS);
            if (turn.signal.aborted) return stoppedInput(turn.signal, CUT_SHORT);
            await turn.post([motionTo(point)]);
          }
          await turn.post([release, ...up]);
          return undefined;
        });
      }),
    scroll: ({ at, dx, dy, modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const isFit = [dx, dy].every((notches) => Number.isInteger(notches) && Math.abs(notches) <= MOST_NOTCHES);
        const refusal = isFit ? offScreen(turn, [at]) : refused(TOO_MANY_NOTCHES);
        if (refusal !== undefined) return refusal;
        return acting.withEffect(turn, 'Scrolled.', async () => {
          await turn.post(around([motionTo(at), ...notchesOf(dx, dy)], modifiers));
          return undefined;
        });
      }),
  };
}

function around(events: readonly InputEvent[], modifiers: readonly Modifier[]): InputEvent[] {
  const [down, up] = modifierEvents(modifiers);
  return [...down, ...events, ...up];
}

function motionTo({ x, y }: Point): InputEvent {
  return { kind: 'move', x, y };
}

/** `clicks`: the how-manieth of a double or triple click it is. */
function pressOf(button: number, clicks: number): [InputEvent, InputEvent] {
  return [
    { kind: 'button', button, isDown: true, clicks },
    { kind: 'button', button, isDown: false, clicks },
  ];
}

/** One event for each notch, as a wheel makes them. */
function notchesOf(dx: number, dy: number): InputEvent[] {
  const down = Array.from({ length: Math.abs(dy) }, (): InputEvent => ({ kind: 'scroll', dx: 0, dy: Math.sign(dy) }));
  const right = Array.from({ length: Math.abs(dx) }, (): InputEvent => ({ kind: 'scroll', dx: Math.sign(dx), dy: 0 }));
  return [...down, ...right];
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

/** macOS may keep a fraction of a point or drop it. */
function isAt(pointer: Point, { x, y }: Point): boolean {
  return Math.abs(pointer.x - x) <= 1 && Math.abs(pointer.y - y) <= 1;
}

const CUT_SHORT = 'The button was pressed, and was let go on the way.';
const TOO_SHORT = { code: 'invalid_target', message: 'Expected a path of at least two points.' } as const;
const TOO_MANY_NOTCHES = {
  code: 'invalid_target',
  message: `Expected whole notches, at most ${MOST_NOTCHES} in each direction.`,
} as const;
