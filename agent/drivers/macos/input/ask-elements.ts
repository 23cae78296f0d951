import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Bounds } from '../../../../src/contract/device.ts';
import { FileDialog } from '../../../../src/contract/file-dialog.ts';
import type { Point } from '../../../../src/contract/picture-frames.ts';
import { brokenOff, refused, stoppedInput } from '../../hands/input-outcome.ts';
import type { Delivery, InputFailed } from '../../input.ts';
import { permissionMissing } from '../permissions.ts';
import { type RunProgram, runScript } from '../run-script.ts';

const Ref = Type.Object({
  pid: Type.Integer(),
  root: Type.String(),
  steps: Type.Array(Type.String()),
  print: Type.String(),
});

const MacSight = Type.Object({
  app: Type.Object({
    name: Type.String(),
    bundleId: Type.Union([Type.String(), Type.Null()]),
    path: Type.Union([Type.String(), Type.Null()]),
  }),
  pid: Type.Integer(),
  windowId: Type.Union([Type.String(), Type.Null()]),
  windowTitle: Type.String(),
  windowBounds: Type.Union([Bounds, Type.Null()]),
  isCovered: Type.Boolean(),
  documents: Type.Array(Type.String()),
  pagesBeside: Type.Array(Type.String()),
  defaultButton: Type.Optional(Type.String()),
  dialog: Type.Optional(Type.Pick(FileDialog, ['kind', 'part'])),
  texts: Type.Optional(Type.Array(Type.String())),
  isMenuOpen: Type.Optional(Type.Boolean()),
  element: Type.Union([
    Type.Null(),
    Type.Object({
      role: Type.String(),
      subrole: Type.String(),
      name: Type.String(),
      bounds: Type.Union([Bounds, Type.Null()]),
      isPassword: Type.Boolean(),
      isEditable: Type.Boolean(),
      ref: Type.Union([Ref, Type.Null()]),
    }),
  ]),
});
export type MacSight = Static<typeof MacSight>;

/** `start` and `length` of the selection are in UTF-16 units; `null` where the app does not tell them. */
const MacField = Type.Object({
  isPassword: Type.Boolean(),
  value: Type.Union([Type.String(), Type.Null()]),
  start: Type.Union([Type.Integer(), Type.Null()]),
  length: Type.Integer(),
});
export type MacField = Static<typeof MacField>;

const Done = Type.Object({});
const answers = {
  sight: MacSight,
  field: Type.Object({ field: Type.Union([MacField, Type.Null()]) }),
  look: Type.Object({ look: Type.String() }),
  set: Type.Object({ isConfirmed: Type.Boolean() }),
  insert: Done,
  act: Done,
  menu: Done,
  window: Type.Object({
    minimized: Type.Boolean(),
    focused: Type.Boolean(),
    bounds: Type.Union([Bounds, Type.Null()]),
  }),
  page: Type.Object({ page: Type.String() }),
  change: Done,
};
type Answers = { [Verb in keyof typeof answers]: Static<(typeof answers)[Verb]> };

/** The way to an element of an app, as accessibility.js tells it and input-elements.js goes it again. */
export type ElementRef = { pid: number; root: string; steps: readonly string[]; print: string };

/** The id of an element in a description: the same for the same place, role and label. A step down to one of the first 36 takes one character. */
export function elementId({ pid, root, steps, print }: ElementRef): string {
  return `ax-${pid}-${root}-${steps.map(shortStep).join('')}-${print}`;
}

const MOST_CHARACTERS = 1_000;
const ID = /^ax-(\d{1,10})-(m|[cw]\d{1,10})-((?:H|[RV]?(?:[0-9a-z]|_[0-9a-z]{1,6}\.))*)-([0-9a-z]{1,7})$/;
const STEPS = /H|([RV]?)(?:([0-9a-z])|_([0-9a-z]+)\.)/g;

/** `null` for a text that is the id of no element. */
export function refOfElement(id: string): ElementRef | null {
  const [, pid, root, steps, print] = (id.length > MOST_CHARACTERS ? null : ID.exec(id)) ?? [];
  if (pid === undefined || root === undefined || steps === undefined || print === undefined) return null;
  return { pid: Number(pid), root, steps: [...steps.matchAll(STEPS)].map(longStep), print };
}

function shortStep(step: string): string {
  const [, list = '', index = ''] = /^([rvh]?)(\d*)$/.exec(step) ?? [];
  if (list === 'h') return 'H';
  const place = Number(index).toString(36);
  return `${list.toUpperCase()}${place.length === 1 ? place : `_${place}.`}`;
}

function longStep([step, list = '', one, several]: RegExpExecArray): string {
  return step === 'H' ? 'h' : `${list.toLowerCase()}${Number.parseInt(one ?? several ?? '0', 36)}`;
}

/** The requests that input-elements.js takes. */
type ElementsRequest =
  | { verb: 'sight'; element?: ElementRef; point?: Point }
  | { verb: 'field' | 'look' }
  | { verb: 'set'; element: ElementRef; value: string }
  | { verb: 'insert'; text: string }
  | { verb: 'act'; element: ElementRef; action?: string }
  | { verb: 'menu'; windowId: string; path: readonly string[] }
  | { verb: 'window' | 'page'; windowId: string }
  | {
      verb: 'change';
      windowId: string;
      wish: 'focus' | 'move' | 'minimize' | 'close';
      position?: string;
      size?: string;
    };

const Fault = Type.Object({
  ok: Type.Literal(false),
  fault: Type.Enum([
    'untrusted',
    'unreachable',
    'gone',
    'ambiguous',
    'disabled',
    'password',
    'unsupported',
    'no_action',
    'no_item',
    'not_front',
    'covered',
    'unknown',
  ]),
  names: Type.Optional(Type.Array(Type.String())),
  depth: Type.Optional(Type.Integer()),
});
type ElementsFault = Static<typeof Fault>;

type Answer<Verb extends keyof Answers> =
  | ({ ok: true } & Answers[Verb])
  | ElementsFault
  | { ok: false; fault: 'no_answer'; message: string };

const TIMEOUT_MS = 10_000;
const shapes = {
  sight: shapeOf('sight'),
  field: shapeOf('field'),
  look: shapeOf('look'),
  set: shapeOf('set'),
  insert: shapeOf('insert'),
  act: shapeOf('act'),
  menu: shapeOf('menu'),
  window: shapeOf('window'),
  page: shapeOf('page'),
  change: shapeOf('change'),
};

/** One run of input-elements.js. */
export async function askElements<Request extends ElementsRequest>(
  run: RunProgram,
  { signal, ...request }: Request & { signal: AbortSignal },
): Promise<Answer<Request['verb']>> {
  const verb: Request['verb'] = request.verb;
  const answer = await runScript(run, {
    script: 'input-elements',
    request,
    answer: shapes[verb],
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (!answer.ok) return { ok: false, fault: 'no_answer', message: answer.message };
  return answer.data as Answer<Request['verb']>;
}

/** The failure for a fault. A request that changes something may have done so where no answer came. */
export function failureOf(
  { fault, ...more }: { fault: ElementsFault['fault'] | 'no_answer'; message?: string },
  { signal, isChange }: { signal: AbortSignal; isChange: boolean },
): InputFailed & Delivery {
  if (fault === 'untrusted') return refused(permissionMissing('accessibility'));
  if (fault === 'unknown') return brokenOff(UNKNOWN);
  if (fault !== 'no_answer') return refused(FAULTS[fault]);
  if (signal.aborted) return stoppedInput(signal, isChange ? 'The app was asked; it may have done it.' : undefined);
  const failed = { code: 'internal_error', message: more.message ?? '' } as const;
  return isChange ? brokenOff(failed) : refused(failed);
}

function shapeOf<Verb extends keyof Answers>(verb: Verb) {
  return Compile(Type.Union([Type.Intersect([Type.Object({ ok: Type.Literal(true) }), answers[verb]]), Fault]));
}

type Refusal = Omit<InputFailed, 'ok' | 'sideEffect'>;

const UNKNOWN: Refusal = {
  code: 'busy',
  message: 'The app was asked and did not answer; it may have done it, or show a question.',
  fix: 'Look at the screen before you go on.',
};
const LOOK_AGAIN = 'Describe the screen again.';
const FAULTS: Record<Exclude<ElementsFault['fault'], 'untrusted' | 'unknown'>, Refusal> = {
  unreachable: {
    code: 'busy',
    message: 'The app does not answer.',
    fix: 'Check whether the app hangs, and ask again.',
  },
  gone: { code: 'target_gone', message: 'Expected an element or a window on the screen; it is gone.', fix: LOOK_AGAIN },
  ambiguous: {
    code: 'invalid_target',
    message: 'Two windows of the app have the same place and title, so it is not known which one is meant.',
    fix: 'Move one of them and look again.',
  },
  disabled: { code: 'invalid_target', message: 'Expected an element that is enabled; this one is not.' },
  password: { code: 'invalid_target', message: 'The element is a password field. Handrail types no passwords.' },
  unsupported: { code: 'not_supported', message: 'The app does not offer that for this element or window.' },
  no_action: { code: 'invalid_target', message: 'Expected an action of the element.' },
  no_item: { code: 'target_gone', message: 'Expected an item of the menu.' },
  not_front: {
    code: 'busy',
    message: 'The window did not come to the front, and the menu acts on the window in front.',
    fix: 'Look at the screen before you go on.',
  },
  covered: {
    code: 'invalid_target',
    message: 'Two windows lie over each other at the point, and it is not known which one a click reaches.',
    fix: 'Bring the window to the front and look again.',
  },
};
