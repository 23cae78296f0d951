import { regionOf } from '../contract/frames.ts';
import type { Fault, Input, Members, Step, View } from './member.ts';
import { isWaitable, screenshot, unfitWait, waitingFor, waitOf } from './member.ts';
import { type PictureLimits, widthWithin } from './picture-size.ts';

/** Larger pictures are scaled down by the vendor, and the model's coordinates no longer fit. */
export const ANTHROPIC_PICTURE: PictureLimits = { width: 1_568, height: 1_568, pixels: 1_150_000 };

/** The members of `computer_20251124` and `computer_toolset_20260801`, which have the same names and inputs. */
export const ANTHROPIC_MEMBERS: Members = new Map([
  ['screenshot', screenshot],
  ['zoom', { steps: zoom }],
  ['wait', { steps: ({ duration }) => (isWaitable(duration) ? [waitOf(duration)] : unfitWait('duration')) }],
  ...waitingFor({
    Click: ['left_click', 'right_click', 'middle_click', 'double_click', 'triple_click'],
    MovePointer: ['mouse_move', 'cursor_position'],
    Drag: ['left_click_drag', 'left_mouse_down', 'left_mouse_up'],
    Scroll: ['scroll'],
    TypeText: ['type'],
    PressKeys: ['key', 'hold_key'],
  }),
]);

function zoom({ region }: Input, { limits, frame }: View): Step[] | Fault {
  if (frame === undefined) return { fault: 'zoom needs a screenshot first: its region is a part of the last one.' };
  const { width, height } = frame.image;
  const part = isCorners(region)
    ? regionOf(frame, { x: region[0], y: region[1] }, { x: region[2], y: region[3] })
    : undefined;
  if (part === undefined)
    return {
      fault: `region is expected: [x0, y0, x1, y1], two opposite corners within the last screenshot, which has ${width} × ${height} pixels.`,
    };
  return [
    { actionType: 'TakeScreenshot', parameters: { region: part, format: 'png', maxWidth: widthWithin(limits, part) } },
  ];
}

function isCorners(value: unknown): value is [number, number, number, number] {
  return Array.isArray(value) && value.length === 4 && value.every((each) => Number.isFinite(each));
}
