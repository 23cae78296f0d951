import type { Display } from '../../../src/contract/device.ts';
import type { Modifier } from '../../../src/contract/key-chords.ts';
import { displayAt, type Point } from '../../../src/contract/picture-frames.ts';
import type { InputDriver, MouseButton } from '../input.ts';
import type { Acting, Failure, Hands, Refusal, Turn } from './acting.ts';
import { doneInPart, inputDone, pressedSoFar, refused, stoppedInput } from './input-outcome.ts';

const MOST_NOTCHES = 100;
/** So many places on the way to the next point: an app sees a drag only in motions. */
const STEPS = 10;
const STEP_MS = 4;

/** How one desktop says what a pointer does. `Own` is what a turn has there. */
export type PointerDesk<Event, Own> = {
  displays(turn: Turn<Own>): Promise<readonly Display[]>;
  motionTo(point: Point): Event;
  /** `clicks`: the how-manieth press of a double or triple click it is. */
  buttonOf(button: MouseButton, isDown: boolean, clicks: number): Event;
  /** Positive is down and right. */
  notchesOf(dx: number, dy: number): readonly Event[];
  /** What presses the modifiers, and what lets go of them. */
  modifiersOf(held: readonly Modifier[], turn: Turn<Own>): Promise<readonly [readonly Event[], readonly Event[]]>;
  /** Whether the pointer that was sent there is there. */
  isAt(turn: Turn<Own>, point: Point): Promise<boolean>;
};

export function createPointer<Event, Own extends Hands<Event>>(
  acting: Acting<Own>,
  desk: PointerDesk<Event, Own>,
): Pick<InputDriver, 'movePointer' | 'click' | 'drag' | 'scroll'> {
  const offScreen = async (turn: Turn<Own>, points: readonly Point[]): Promise<Failure | undefined> => {
    const displays = await desk.displays(turn);
    const out = points.find((point) => displayAt(displays, point) === undefined);
    return out === undefined ? undefined : refused(outside(out));
  };
  return {
    movePointer: ({ to }, attempt) =>
      acting.act(attempt, async (turn) => {
        const failed = (await offScreen(turn, [to])) ?? (await turn.objection());
        if (failed !== undefined) return failed;
        await turn.send([desk.motionTo(to)]);
        const isConfirmed = await desk.isAt(turn, to);
        return inputDone('The pointer was moved.', { isConfirmed, data: {}, safeToRepeat: true });
      }),
    click: ({ at, button = 'left', count = 1, modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const refusal = await offScreen(turn, [at]);
        if (refusal !== undefined) return refusal;
        const [down, up] = await desk.modifiersOf(modifiers, turn);
        const press = (nth: number) =>
          turn.send([
            ...(nth === 1 ? [...down, desk.motionTo(at)] : []),
            ...[true, false].map((isDown) => desk.buttonOf(button, isDown, nth)),
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
        if (start === undefined || path.length < 2) return refused(TOO_SHORT);
        const refusal = await offScreen(turn, path);
        if (refusal !== undefined) return refusal;
        const [down, up] = await desk.modifiersOf(modifiers, turn);
        return acting.withEffect(turn, `Dragged with the ${button} button.`, async () => {
          await turn.send([...down, desk.motionTo(start), desk.buttonOf(button, true, 1)]);
          for (const point of between(path)) {
            await turn.pause(STEP_MS);
            if (turn.signal.aborted) return stoppedInput(turn.signal, CUT_SHORT);
            await turn.send([desk.motionTo(point)]);
          }
          await turn.send([desk.buttonOf(button, false, 1), ...up]);
          return undefined;
        });
      }),
    scroll: ({ at, dx, dy, modifiers = [] }, attempt) =>
      acting.act(attempt, async (turn) => {
        const isFit = [dx, dy].every((notches) => Number.isInteger(notches) && Math.abs(notches) <= MOST_NOTCHES);
        const refusal = isFit ? await offScreen(turn, [at]) : refused(TOO_MANY_NOTCHES);
        if (refusal !== undefined) return refusal;
        const [down, up] = await desk.modifiersOf(modifiers, turn);
        return acting.withEffect(turn, 'Scrolled.', async () => {
          await turn.send([...down, desk.motionTo(at), ...desk.notchesOf(dx, dy), ...up]);
          return undefined;
        });
      }),
  };
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

function outside({ x, y }: Point): Refusal {
  const message = `Expected a point on a display, got ${x}, ${y}.`;
  return { code: 'coordinates_off_screen', message, fix: 'Take a new look.' };
}

const CUT_SHORT = 'The button was pressed, and was let go on the way.';
const TOO_SHORT: Refusal = { code: 'invalid_target', message: 'Expected a path of at least two points.' };
const TOO_MANY_NOTCHES: Refusal = {
  code: 'invalid_target',
  message: `Expected whole notches, at most ${MOST_NOTCHES} in each direction.`,
};
