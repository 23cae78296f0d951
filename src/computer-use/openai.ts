import type { OpenAiCall, OpenAiOutput } from '../contract/computer-use.ts';
import type { Point } from '../contract/picture-frames.ts';
import type { Refusal } from '../services/refusal.ts';
import {
  clickAt,
  dragBetween,
  modifiersIn,
  moveTo,
  PIXELS_A_NOTCH,
  pointOf,
  pressed,
  scrollAt,
  typed,
} from './input-steps.ts';
import {
  type Fault,
  type Input,
  type Member,
  type Members,
  type PictureLimits,
  type Step,
  screenshot,
  thenPicture,
  type View,
  waitOf,
} from './member.ts';
import type { Outcome, Vendor, VendorCall } from './perform.ts';
import { told } from './words.ts';

const OPENAI_PICTURE: PictureLimits = { width: 1_440, height: 1_440, pixels: Number.POSITIVE_INFINITY };

/** The schema gives a wait no length. */
const WAIT_SECONDS = 2;

/** The actions of the tool `computer`. Each answers with a picture. */
const OPENAI_MEMBERS: Members = new Map<string, Member>([
  ['screenshot', screenshot],
  ['wait', thenPicture(() => [waitOf(WAIT_SECONDS)])],
  ['click', thenPicture(click)],
  ['double_click', thenPicture((input, view) => clickOf(input, view, { count: 2 }))],
  ['move', thenPicture(({ x, y }, view) => moveTo(view, pointOf(x, y)))],
  ['drag', thenPicture(drag)],
  ['scroll', thenPicture(scroll)],
  ['type', thenPicture(({ text }) => typed(text))],
  ['keypress', thenPicture(({ keys }) => keypress(keys))],
]);

const BUTTONS: ReadonlyMap<unknown, 'left' | 'middle' | 'right'> = new Map([
  ['left', 'left'],
  ['right', 'right'],
  ['wheel', 'middle'],
]);

function click(input: Input, view: View): Step[] | Fault {
  const button = BUTTONS.get(input.button ?? 'left');
  if (button === undefined) return { fault: 'button is expected: left, right or wheel. To go back, press keys.' };
  return clickOf(input, view, { button });
}

function clickOf({ x, y, keys }: Input, view: View, how: Parameters<typeof clickAt>[2]): Step[] | Fault {
  const modifiers = heldIn(keys);
  return 'fault' in modifiers ? modifiers : clickAt(view, pointOf(x, y), { ...how, modifiers });
}

function drag({ path, keys }: Input, view: View): Step[] | Fault {
  const modifiers = heldIn(keys);
  if ('fault' in modifiers) return modifiers;
  const points = Array.isArray(path) ? path.map(onPath) : [];
  if (points.length < 2) return { fault: 'path is expected: at least two points.' };
  const [first, last] = [points[0], points.at(-1)];
  if (first && last && points.some((point) => point && isOffLine(point, first, last)))
    return { fault: 'the path bends, and a drag goes straight. Send one drag for each straight part.' };
  return dragBetween(view, [first, last], modifiers);
}

function onPath(point: unknown): Point | undefined {
  return Array.isArray(point) ? pointOf(point[0], point[1]) : pointOf(Object(point).x, Object(point).y);
}

const MOST_OFF_PX = 10;

/** Whether a point lies clearly beside the straight line between two others, or beyond its ends. */
function isOffLine(point: Point, from: Point, to: Point): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const nearest = Math.min(Math.max(along, 0), length);
  const share = length === 0 ? 0 : nearest / length;
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy) > MOST_OFF_PX;
}

function scroll({ x, y, scroll_x: across = 0, scroll_y: down = 0, keys }: Input, view: View): Step[] | Fault {
  if (Array.isArray(keys) && keys.length > 0) return { fault: 'no key is held while the wheel turns. Leave keys out.' };
  const far = pointOf(across, down);
  if (far === undefined) return { fault: 'scroll_x and scroll_y are expected: numbers of pixels.' };
  return scrollAt(view, pointOf(x, y), { dx: far.x / PIXELS_A_NOTCH, dy: far.y / PIXELS_A_NOTCH });
}

function keypress(keys: unknown): Step[] | Fault {
  const text = joined(keys);
  if (text === undefined || text === '') return { fault: 'keys are expected: a list such as ["CTRL", "S"].' };
  return pressed(/^\p{Lu}$/u.test(text) ? text.toLowerCase() : text);
}

function heldIn(keys: unknown): readonly string[] | Fault {
  if (keys === undefined || keys === null) return [];
  const text = joined(keys);
  return text === undefined ? { fault: 'keys are expected: a list such as ["CTRL"].' } : modifiersIn(text);
}

function joined(keys: unknown): string | undefined {
  return Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? keys.join('+') : undefined;
}

export const OPENAI: Vendor = { name: 'openai', members: OPENAI_MEMBERS, limits: OPENAI_PICTURE };

/** The one action of a call, or why it has none. */
export function openAiCall({
  action,
  actions = [],
  pending_safety_checks: checks = [],
}: OpenAiCall): VendorCall | Refusal {
  const [only, ...others] = [...(action === undefined ? [] : [action]), ...actions];
  if (only === undefined || others.length > 0)
    return {
      refused: 'validation_failed',
      detail: 'One action is expected, in "action" or in "actions". Send the actions of a batch one by one.',
    };
  const { type: member, ...input } = only;
  const words = checks.map(({ code, message, id }) => message ?? code ?? id).join(' ');
  return { member, input, caution: checks.length === 0 ? undefined : { words } };
}

/** The shape of the answer has no place for an error, so a call that could not begin is refused. */
export function openAiOutput(call: OpenAiCall, outcome: Outcome, member: string): OpenAiOutput | Refusal {
  const head = { type: 'computer_call_output' as const, call_id: call.call_id };
  if (outcome.kind !== 'done') {
    const { code, message, ...rest } = told(outcome, { member, schema: 'the tool computer' });
    if (outcome.kind !== 'unended' && outcome.kind !== 'failed')
      return { refused: refusalOf(outcome), detail: message, facts: { member } };
    const status = outcome.kind === 'unended' ? ('in_progress' as const) : ('incomplete' as const);
    return { ...head, status, output: { type: 'computer_screenshot' }, handrail: { ...rest, code, message } };
  }
  const { picture, isApproved } = outcome;
  const checks = call.pending_safety_checks ?? [];
  return {
    ...head,
    status: 'completed',
    output: {
      type: 'computer_screenshot',
      image_url: picture && `data:${picture.mediaType};base64,${picture.base64}`,
    },
    ...(isApproved && checks.length > 0 && { acknowledged_safety_checks: checks }),
  };
}

function refusalOf({ kind }: Extract<Outcome, { kind: 'unknown' | 'unavailable' | 'unfit' }>): Refusal['refused'] {
  if (kind === 'unavailable') return 'not_supported';
  return kind === 'unknown' ? 'unknown_action_type' : 'parameters_invalid';
}
