import { MAX_TYPED } from '../contract/hands.ts';
import { parseChord } from '../contract/key-chords.ts';
import { type Point, toDesktop } from '../contract/picture-frames.ts';
import type { Fault, Step, View } from './member.ts';

type Place = { frameId?: string; x: number; y: number };
type Button = 'left' | 'middle' | 'right';

/** A click at a pixel of the last picture. */
export function clickAt(
  view: View,
  point: Point | undefined,
  {
    button = 'left',
    count = 1,
    modifiers = [],
  }: { button?: Button; count?: number; modifiers?: readonly string[] } = {},
): Step[] | Fault {
  const place = placeAt(view, point);
  if ('fault' in place) return place;
  const held = modifiers.length === 0 ? {} : { modifiers };
  return [{ actionType: 'Click', parameters: { ...place, button, count, ...held }, ...pointerAt(point) }];
}

export function moveTo(view: View, point: Point | undefined): Step[] | Fault {
  const place = placeAt(view, point);
  return 'fault' in place ? place : [{ actionType: 'MovePointer', parameters: place, ...pointerAt(point) }];
}

export function dragBetween(
  view: View,
  [start, end]: readonly [Point | undefined, Point | undefined],
  modifiers: readonly string[] = [],
): Step[] | Fault {
  const [from, to] = [placeAt(view, start), placeAt(view, end)];
  if ('fault' in from) return from;
  if ('fault' in to) return to;
  const held = modifiers.length === 0 ? {} : { modifiers };
  return [{ actionType: 'Drag', parameters: { from, to, ...held }, ...pointerAt(end) }];
}

/** `dx` and `dy` are notches of the wheel. */
export function scrollAt(view: View, point: Point | undefined, { dx, dy }: { dx: number; dy: number }): Step[] | Fault {
  const place = placeAt(view, point);
  if ('fault' in place) return place;
  if (dx === 0 && dy === 0) return { fault: 'a distance other than 0 is expected.' };
  return [{ actionType: 'Scroll', parameters: { ...place, dx: notches(dx), dy: notches(dy) }, ...pointerAt(point) }];
}

const MOST_NOTCHES = 100;

/** At least one where anything was asked for. */
function notches(wished: number): number {
  const whole = Math.min(Math.max(1, Math.round(Math.abs(wished))), MOST_NOTCHES);
  return wished === 0 ? 0 : Math.sign(wished) * whole;
}

/** Usual browsers turn one notch into about so many pixels. */
export const PIXELS_A_NOTCH = 100;

/** The notches of a direction by its name. */
export function notchesTo(direction: unknown, amount: number): { dx: number; dy: number } | undefined {
  switch (direction) {
    case 'up':
      return { dx: 0, dy: -amount };
    case 'down':
      return { dx: 0, dy: amount };
    case 'left':
      return { dx: -amount, dy: 0 };
    case 'right':
      return { dx: amount, dy: 0 };
    default:
      return undefined;
  }
}

export const UNFIT_DIRECTION = 'a direction is expected: up, down, left or right.';

/** A text into a place, or into what has the focus. */
export function typed(text: unknown, rest: Record<string, unknown> = {}): Step[] | Fault {
  if (typeof text !== 'string' || text === '' || text.length > MAX_TYPED)
    return { fault: `text is expected: 1 to ${MAX_TYPED} characters. Send a longer one in parts.` };
  return [{ actionType: 'TypeText', parameters: { text, ...rest } }];
}

/** The parameters of a place: a pixel of the frame, or a point of the desktop where the frame has no id. */
export function placeAt({ frame }: View, point: Point | undefined): Place | Fault {
  if (frame === undefined) return { fault: 'take a screenshot first: coordinates belong to the last one.' };
  const { width, height } = frame.image;
  const there = point && toDesktop(frame, point);
  if (point === undefined || there === undefined)
    return { fault: `a point within the last screenshot is expected, which has ${width} × ${height} pixels.` };
  return frame.frameId === undefined ? there : { frameId: frame.frameId, ...point };
}

/** The point, or nothing where a coordinate is no number. */
export function pointOf(x: unknown, y: unknown): Point | undefined {
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y)
    ? { x, y }
    : undefined;
}

function pointerAt(point: Point | undefined): { pointer?: Point } {
  return point === undefined ? {} : { pointer: point };
}

/** Presses one chord in a vendor's spelling. */
export function pressed(chord: string, rest: Record<string, unknown> = {}): Step[] | Fault {
  const keys = spelled(chord);
  const read = parseChord(keys);
  return 'fault' in read ? { fault: read.fault } : [{ actionType: 'PressKeys', parameters: { keys, ...rest } }];
}

/** The modifiers in a text such as "ctrl+shift"; none where there is no text. */
export function modifiersIn(text: unknown): readonly string[] | Fault {
  if (text === undefined || text === null || text === '') return [];
  if (typeof text !== 'string') return { fault: 'the keys held are expected as a text such as "ctrl+shift".' };
  const read = parseChord(spelled(`${text}+a`));
  return 'fault' in read ? { fault: read.fault } : read.modifiers;
}

/** A chord with the names of our keys. */
function spelled(chord: string): string {
  const text = chord.trim() === '' && chord !== '' ? 'space' : chord.trim();
  const whole = text === '+' ? 'plus' : text.endsWith('++') ? `${text.slice(0, -1)}plus` : text;
  // One capital letter alone is typed with Shift; in a chord it is only a way to write the key.
  if (/^\p{Lu}$/u.test(whole)) return `shift+${whole.toLowerCase()}`;
  return whole
    .split('+')
    .map((part) => NAMES.get(part.trim().toLowerCase()) ?? part)
    .join('+');
}

/** Names of X11 and of the vendors for keys that have another name here. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ minus: '-', equal: '=', comma: ',', period: '.', slash: '/', backslash: '\\', semicolon: ';' }),
  ...Object.entries({ apostrophe: "'", grave: '`', bracketleft: '[', bracketright: ']', numbersign: '#', at: '@' }),
  ...Object.entries({ asterisk: '*', kp_enter: 'enter', kp_add: 'plus', kp_subtract: '-', kp_decimal: '.' }),
  ...Object.entries({ prior: 'pageup', next: 'pagedown', 'page-up': 'pageup', 'page-down': 'pagedown' }),
  ...Object.entries({ control_l: 'ctrl', control_r: 'ctrl', alt_l: 'alt', alt_r: 'alt', shift_l: 'shift' }),
  ...Object.entries({ shift_r: 'shift', super_l: 'cmd', super_r: 'cmd', meta_l: 'cmd', windows: 'cmd', opt: 'alt' }),
  ...Array.from({ length: 10 }, (_, digit) => [`kp_${digit}`, String(digit)] as const),
]);
