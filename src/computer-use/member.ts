import type { Bounds } from '../contract/device.ts';
import type { PictureFrame } from '../contract/frames.ts';
import { type PictureLimits, WIDTH_FOR_ANY_DISPLAY, widthWithin } from './picture-size.ts';

/** One of our actions. `isFrame`: the coordinates of later calls belong to its picture. */
export type Step = { actionType: string; parameters: Record<string, unknown>; isFrame?: true };

/** Why the input of a member does not fit, as a sentence. */
export type Fault = { fault: string };

/** The state of the caller's screen, as far as it is known. */
export type View = {
  limits: PictureLimits;
  /** The main display, in the desktop's units. */
  display: Bounds | undefined;
  /** The last whole picture that the caller got. */
  frame: PictureFrame | undefined;
};

export type Input = Readonly<Record<string, unknown>>;

/** A member of a vendor's schema: the actions that do it, or the action type that it waits for. */
export type Member = { needs: string } | { steps(input: Input, view: View): readonly Step[] | Fault };

export type Members = ReadonlyMap<string, Member>;

export const screenshot: Member = { steps: (_input, view) => [pictureOf(view)] };

/** A picture of the main display, as large as the vendor recommends. */
export function pictureOf({ limits, display }: View): Step {
  const maxWidth = display === undefined ? WIDTH_FOR_ANY_DISPLAY : widthWithin(limits, display);
  return { actionType: 'TakeScreenshot', parameters: { format: 'png', maxWidth }, isFrame: true };
}

export function waitOf(seconds: number): Step {
  return { actionType: 'Wait', parameters: { durationMs: Math.round(seconds * 1_000) } };
}

const MOST_SECONDS = 60;

/** A number of seconds that a Wait can take. */
export function isWaitable(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_SECONDS;
}

export function unfitWait(name: string): Fault {
  return { fault: `${name} is expected: a number of seconds from 0 to ${MOST_SECONDS}.` };
}

/** A table in which many members wait for the same action type. */
export function waitingFor(needs: Readonly<Record<string, readonly string[]>>): [string, Member][] {
  return Object.entries(needs).flatMap(([needed, names]) =>
    names.map((name): [string, Member] => [name, { needs: needed }]),
  );
}
