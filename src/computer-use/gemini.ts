import type { GeminiCall, GeminiResponse } from '../contract/computer-use.ts';
import { onGrid, type Point } from '../contract/picture-frames.ts';
import {
  clickAt,
  dragBetween,
  moveTo,
  notchesTo,
  PIXELS_A_NOTCH,
  placeAt,
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
  thenPicture,
  unfitWait,
  type View,
  waitOf,
} from './member.ts';
import type { Outcome, Vendor, VendorCall } from './perform.ts';
import { told } from './words.ts';

const GEMINI_PICTURE: PictureLimits = { width: 1_440, height: 900, pixels: Number.POSITIVE_INFINITY };

/** Where a browser without an address begins: the vendor's own search. */
const START_PAGE = 'https://www.google.com/';

/** The functions of the computer use tool, for browsers and for desktops. Each answers with a picture. */
const GEMINI_MEMBERS: Members = new Map<string, Member>([
  ['take_screenshot', screenshot],
  ['wait_5_seconds', thenPicture(() => [waitOf(5)])],
  ['wait', thenPicture(({ seconds }) => (isWaitable(seconds) ? [waitOf(seconds)] : unfitWait('seconds')))],
  ['open_app', thenPicture(openApp)],
  ['open_web_browser', thenPicture(() => opened(START_PAGE))],
  ['search', thenPicture(() => opened(START_PAGE))],
  ['navigate', thenPicture(({ url }) => opened(url))],
  ['go_back', thenPicture((_input, { platform }) => pressed(platform === 'darwin' ? 'cmd+[' : 'alt+left'))],
  ['go_forward', thenPicture((_input, { platform }) => pressed(platform === 'darwin' ? 'cmd+]' : 'alt+right'))],
  ['click_at', click({})],
  ['click', click({})],
  ['double_click', click({ count: 2 })],
  ['triple_click', click({ count: 3 })],
  ['middle_click', click({ button: 'middle' })],
  ['right_click', click({ button: 'right' })],
  ['hover_at', thenPicture((input, view) => moveTo(view, pixel(view, input.x, input.y)))],
  ['move', thenPicture((input, view) => moveTo(view, pixel(view, input.x, input.y)))],
  ['drag_and_drop', thenPicture(drag)],
  ['scroll_at', thenPicture(scroll)],
  ['scroll', thenPicture(scroll)],
  ['scroll_document', thenPicture((input, view) => scroll({ ...input, x: 500, y: 500 }, view))],
  ['type_text_at', thenPicture(typeAt)],
  ['type', thenPicture((input) => typedThen(input, {}))],
  ['key_combination', thenPicture(press)],
  ['press_key', thenPicture(press)],
  ['hotkey', thenPicture(press)],
  ['key_down', { never: `${NOTHING_STAYS_DOWN}; hotkey presses several keys together` }],
  ['key_up', { never: `${NOTHING_STAYS_DOWN}; hotkey presses several keys together` }],
  ['mouse_down', { never: `${NOTHING_STAYS_DOWN}; drag_and_drop does both` }],
  ['mouse_up', { never: `${NOTHING_STAYS_DOWN}; drag_and_drop does both` }],
  ['long_press', { never: 'a desktop has no long press; right_click opens a context menu' }],
]);

function openApp({ app_name: appName }: Input): Step[] | Fault {
  if (typeof appName !== 'string') return { fault: 'app_name is expected: the name of an app.' };
  return [{ actionType: 'OpenApp', parameters: { appName } }];
}

function opened(url: unknown): Step[] | Fault {
  if (typeof url !== 'string' || url === '') return { fault: 'url is expected: an address.' };
  return [{ actionType: 'OpenUrl', parameters: { url: /^[a-z][a-z0-9+.-]*:/iu.test(url) ? url : `https://${url}` } }];
}

function click(how: { button?: 'middle' | 'right'; count?: number }): Member {
  return thenPicture(({ x, y }, view) => clickAt(view, pixel(view, x, y), how));
}

function drag(input: Input, view: View): Step[] | Fault {
  const {
    x,
    y,
    destination_x: toX,
    destination_y: toY,
    start_x: fromX,
    start_y: fromY,
    end_x: endX,
    end_y: endY,
  } = input;
  const from = pixel(view, x ?? fromX, y ?? fromY);
  return dragBetween(view, [from, pixel(view, toX ?? endX, toY ?? endY)]);
}

const USUAL_MAGNITUDE = 800;

/** The magnitude is on the grid of 0 to 1,000, like a place. */
function scroll(input: Input, view: View): Step[] | Fault {
  const { x, y, direction, magnitude = USUAL_MAGNITUDE, magnitude_in_pixels: exact } = input;
  const { width, height } = view.frame?.source ?? { width: 0, height: 0 };
  const side = direction === 'left' || direction === 'right' ? width : height;
  const pixels = exact ?? (Number(magnitude) * side) / 1_000;
  if (typeof pixels !== 'number' || Number.isNaN(pixels)) return { fault: 'magnitude is expected: a number.' };
  const way = notchesTo(direction, pixels / PIXELS_A_NOTCH);
  return way === undefined ? { fault: UNFIT_DIRECTION } : scrollAt(view, pixel(view, x, y), way);
}

/** Clears the field and presses Return, unless the call says otherwise. */
function typeAt(input: Input, view: View): Step[] | Fault {
  const { x, y, clear_before_typing: clear = true, press_enter: enters = true } = input;
  const place = placeAt(view, pixel(view, x, y));
  return 'fault' in place
    ? place
    : typedThen({ ...input, press_enter: enters }, { ...place, ...(clear === true && { clear }) });
}

function typedThen({ text, press_enter: enters }: Input, rest: Record<string, unknown>): Step[] | Fault {
  const steps = typed(text, rest);
  if ('fault' in steps || enters !== true) return steps;
  return [...steps, { actionType: 'PressKeys', parameters: { keys: 'enter' } }];
}

function press({ keys, key = keys }: Input): Step[] | Fault {
  const text = Array.isArray(key) ? key.join('+') : key;
  return typeof text === 'string' ? pressed(text) : { fault: 'keys are expected: a text such as "control+s".' };
}

/** The pixel at a place of the grid. */
function pixel({ frame }: View, x: unknown, y: unknown): Point | undefined {
  const place = pointOf(x, y);
  return frame && place && onGrid(frame, place);
}

export const GEMINI: Vendor = { name: 'gemini', members: GEMINI_MEMBERS, limits: GEMINI_PICTURE };

export function geminiCall({ name, args = {} }: GeminiCall): VendorCall {
  const { safety_decision: decision, ...input } = args;
  return { member: name, input, caution: decision === undefined ? undefined : cautionOf(Object(decision)) };
}

/** The decision "regular" asks for nothing; one that is not known asks for care. */
function cautionOf({ decision, explanation }: Input): VendorCall['caution'] {
  if (decision === 'regular' || decision === 'allowed') return undefined;
  return { words: typeof explanation === 'string' ? explanation : '' };
}

export function geminiResponse(call: GeminiCall, outcome: Outcome): GeminiResponse {
  const head = { id: call.id, name: call.name };
  if (outcome.kind !== 'done') {
    const schema = 'the computer use tool';
    const { code, message, status, actionId } = told(outcome, { member: call.name, schema });
    const said: Record<string, string> = outcome.kind === 'unended' ? { message } : { error: message, code };
    return { functionResponse: { ...head, response: { status, ...said, ...(actionId && { actionId }) } } };
  }
  const { picture, action, isApproved } = outcome;
  const isAcknowledged = isApproved && geminiCall(call).caution !== undefined;
  const response = {
    status: action.status,
    details: action.details,
    ...(isAcknowledged && { safety_acknowledgement: 'true' }),
  };
  const parts = picture && [{ inlineData: { mimeType: picture.mediaType, data: picture.base64 } }];
  return { functionResponse: { ...head, response, parts } };
}
