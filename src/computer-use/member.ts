import type { Bounds } from '../contract/device.ts';
import type { PictureFrame, Point } from '../contract/frames.ts';
import { type PictureLimits, WIDTH_FOR_ANY_DISPLAY, widthWithin } from './picture-size.ts';

/**
 * One of our actions. `isFrame`: the coordinates of later calls belong to its picture. `pointer`: the pixel of that picture at which the
 * action leaves the pointer.
 */
export type Step = { actionType: string; parameters: Record<string, unknown>; isFrame?: true; pointer?: Point };

/** Why the input of a member does not fit, as a sentence. */
export type Fault = { fault: string };

/** A whole picture that a caller got. */
export type KeptFrame = PictureFrame & { frameId?: string | undefined };

/** The state of the caller's screen, as far as it is known. */
export type View = {
  limits: PictureLimits;
  platform: NodeJS.Platform;
  /** The main display, in the desktop's units. */
  display: Bounds | undefined;
  /** The last whole picture that the caller got. */
  frame: KeptFrame | undefined;
  /** Where the caller's last action left the pointer, as a pixel of the frame. */
  pointer: Point | undefined;
};

export type Input = Readonly<Record<string, unknown>>;

/** A member of a vendor's schema: the actions that do it, or why there can be none. */
export type Member = { never: string } | { steps(input: Input, view: View): readonly Step[] | Fault };

export type Members = ReadonlyMap<string, Member>;

export const screenshot: Member = { steps: (_input, view) => [pictureOf(view)] };

/** Why no member holds a key or a button until a later call. */
export const NOTHING_STAYS_DOWN = 'no key and no button stays down between two calls';

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

/** The member, and after it a picture, which its vendor expects as the answer. */
export function thenPicture(steps: (input: Input, view: View) => readonly Step[] | Fault): Member {
  return {
    steps(input, view) {
      const found = steps(input, view);
      return 'fault' in found ? found : [...found, pictureOf(view)];
    },
  };
}
