import type { Bounds } from '../contract/device.ts';
import type { PictureFrame, Point } from '../contract/picture-frames.ts';

/**
 * One of our actions. `isFrame`: the coordinates of later calls belong to its picture. `pointer`: the pixel of that picture at which the
 * action leaves the pointer.
 */
export type Step = { actionType: string; parameters: Record<string, unknown>; isFrame?: true; pointer?: Point };

/** Why the input of a member does not fit, as a sentence. */
export type Fault = { fault: string };

/** A whole picture that a caller got. */
export type KeptFrame = PictureFrame & { frameId?: string | undefined };

/** The largest picture that a vendor recommends, in pixels. */
export type PictureLimits = { width: number; height: number; pixels: number };

type Size = { width: number; height: number };

/** The limits of TakeScreenshot on the width that it is asked for. */
const SMALLEST = 16;
const LARGEST = 16_384;

/** The largest width at which a picture of these proportions stays within the limits. */
export function widthWithin(limits: PictureLimits, { width, height }: Size): number {
  const perPixel = height / width;
  const heightAt = (wide: number) => Math.ceil(wide * perPixel);
  const bound = Math.min(limits.width, limits.height / perPixel, Math.sqrt(limits.pixels / perPixel), LARGEST);
  const first = Math.floor(bound);
  // The height is rounded up to whole pixels, which may take the picture over a limit by less than one row.
  const isOver = heightAt(first) > limits.height || first * heightAt(first) > limits.pixels;
  return Math.max(isOver ? first - Math.ceil(1 / perPixel) : first, SMALLEST);
}

/** At this width no usual display, also an upright one, is over the limits of any vendor. */
const WIDTH_FOR_ANY_DISPLAY = 640;

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
function pictureOf({ limits, display }: View): Step {
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
