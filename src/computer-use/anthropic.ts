import type { AnthropicCall, AnthropicResult } from '../contract/computer-use.ts';
import { type Point, regionOf } from '../contract/picture-frames.ts';
import {
  clickAt,
  dragBetween,
  modifiersIn,
  moveTo,
  notchesTo,
  pointOf,
  pressed,
  scrollAt,
  typed,
  UNFIT_DIRECTION,
} from './input-steps.ts';
import {
  type Fault,
  type Input,
  isWaitable,
  type Member,
  type Members,
  NOTHING_STAYS_DOWN,
  type PictureLimits,
  type Step,
  screenshot,
  unfitWait,
  type View,
  waitOf,
  widthWithin,
} from './member.ts';
import type { Outcome, Vendor, VendorCall } from './perform.ts';
import { doneWords, told } from './words.ts';

/** Larger pictures are scaled down by the vendor, and the model's coordinates no longer fit. */
const ANTHROPIC_PICTURE: PictureLimits = { width: 1_568, height: 1_568, pixels: 1_150_000 };

/** The members of `computer_20251124` and `computer_toolset_20260801`, which have the same names and inputs. */
const ANTHROPIC_MEMBERS: Members = new Map<string, Member>([
  ['screenshot', screenshot],
  ['zoom', { steps: zoom }],
  ['wait', { steps: ({ duration }) => (isWaitable(duration) ? [waitOf(duration)] : unfitWait('duration')) }],
  ['left_click', click({})],
  ['right_click', click({ button: 'right' })],
  ['middle_click', click({ button: 'middle' })],
  ['double_click', click({ count: 2 })],
  ['triple_click', click({ count: 3 })],
  ['mouse_move', { steps: ({ coordinate }, view) => moveTo(view, pairOf(coordinate)) }],
  ['left_click_drag', { steps: drag }],
  ['scroll', { steps: scroll }],
  ['type', { steps: ({ text }) => typed(text) }],
  ['key', { steps: press }],
  ['hold_key', { steps: hold }],
  ['cursor_position', { never: 'the person may have moved the pointer since, and no action tells where it is' }],
  ['left_mouse_down', { never: `${NOTHING_STAYS_DOWN}; left_click_drag does both` }],
  ['left_mouse_up', { never: `${NOTHING_STAYS_DOWN}; left_click_drag does both` }],
]);

function click(how: { button?: 'middle' | 'right'; count?: number }): Member {
  return {
    steps({ coordinate, text }, view) {
      const modifiers = modifiersIn(text);
      return 'fault' in modifiers ? modifiers : clickAt(view, placed(coordinate, view), { ...how, modifiers });
    },
  };
}

function drag({ start_coordinate: start, coordinate, text }: Input, view: View): Step[] | Fault {
  const modifiers = modifiersIn(text);
  if ('fault' in modifiers) return modifiers;
  return dragBetween(view, [placed(start, view), pairOf(coordinate)], modifiers);
}

function scroll(input: Input, view: View): Step[] | Fault {
  const { coordinate, scroll_direction: direction, scroll_amount: amount = 3, text } = input;
  if (text !== undefined && text !== '') return { fault: 'no key is held while the wheel turns. Leave text out.' };
  if (typeof amount !== 'number') return { fault: 'scroll_amount is expected: a number of notches.' };
  const way = notchesTo(direction, amount);
  return way === undefined ? { fault: UNFIT_DIRECTION } : scrollAt(view, placed(coordinate, view), way);
}

/** Several chords with blanks between them are pressed one after the other. */
function press({ text, repeat = 1 }: Input): Step[] | Fault {
  if (typeof text !== 'string' || text === '') return { fault: 'text is expected: a key or chord such as "ctrl+s".' };
  if (typeof repeat !== 'number' || !(repeat >= 1 && repeat <= 100))
    return { fault: 'repeat is expected from 1 to 100.' };
  const chords = text.trim() === '' ? [text] : text.trim().split(/\s+/u);
  const all = chords.map((chord) => pressed(chord, repeat === 1 ? {} : { repeat: Math.floor(repeat) }));
  return all.find((each) => 'fault' in each) ?? all.flatMap((each) => ('fault' in each ? [] : each));
}

const MOST_HELD_SECONDS = 5;

function hold({ text, duration }: Input): Step[] | Fault {
  if (typeof text !== 'string') return { fault: 'text is expected: a key or chord such as "shift+down".' };
  const isFit = typeof duration === 'number' && duration >= 0 && duration <= MOST_HELD_SECONDS;
  if (!isFit) return { fault: `duration is expected: a number of seconds from 0 to ${MOST_HELD_SECONDS}.` };
  return pressed(text, { holdMs: Math.round(duration * 1_000) });
}

/** Without coordinates, the place where the last call left the pointer. */
function placed(coordinate: unknown, { pointer }: View): Point | undefined {
  return coordinate === undefined || coordinate === null ? pointer : pairOf(coordinate);
}

function pairOf(coordinate: unknown): Point | undefined {
  return Array.isArray(coordinate) && coordinate.length === 2 ? pointOf(coordinate[0], coordinate[1]) : undefined;
}

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

export const ANTHROPIC: Vendor = { name: 'anthropic', members: ANTHROPIC_MEMBERS, limits: ANTHROPIC_PICTURE };

/** The member is named by the block where it belongs to a toolset, else by the action of its input. */
export function anthropicCall({ toolset_name: toolset, name, input }: AnthropicCall): VendorCall {
  if (toolset !== undefined) return { member: name, input };
  const { action, ...rest } = input;
  return { member: name === 'computer' && typeof action === 'string' ? action : name, input: rest };
}

export function anthropicResult(call: AnthropicCall, outcome: Outcome): AnthropicResult {
  const head = {
    type: 'tool_result' as const,
    tool_use_id: call.id,
    toolset_name: call.toolset_name,
  };
  if (outcome.kind !== 'done') {
    const schema = call.toolset_name === undefined ? 'computer_20251124' : 'computer_toolset_20260801';
    const { message } = told(outcome, { member: anthropicCall(call).member, schema });
    const isError = outcome.kind !== 'unended';
    return { ...head, ...(isError && { is_error: true as const }), content: [{ type: 'text', text: message }] };
  }
  const { picture, action } = outcome;
  if (picture === undefined) return { ...head, content: [{ type: 'text', text: doneWords(action) }] };
  const source = { type: 'base64' as const, media_type: picture.mediaType, data: picture.base64 };
  return { ...head, content: [{ type: 'image', source }] };
}
