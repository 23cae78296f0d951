import { endianness } from 'node:os';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { KeyChord } from '../../../../src/contract/key-chords.ts';
import type { Point } from '../../../../src/contract/picture-frames.ts';
import type { ResolvedApp } from '../../../../src/contract/screen.ts';
import type { WebAddress } from '../../../../src/contract/web-address.ts';
import type { Driver } from '../../driver.ts';
import { type Failure, objectionTo } from '../../hands/acting.ts';
import { type ClipboardDesk, createClipboardActions } from '../../hands/clipboard.ts';
import { describedDesk } from '../../hands/described-controls.ts';
import { createElementActions } from '../../hands/element-actions.ts';
import { createFindControl } from '../../hands/find-control.ts';
import { refused, stoppedInput, told } from '../../hands/input-outcome.ts';
import { type ChordKeys, createPressKeys, createTypeText } from '../../hands/keyboard.ts';
import { createOpenUrl, type OpenUrlDesk } from '../../hands/open-url.ts';
import { createPointer, type PointerDesk } from '../../hands/pointer.ts';
import { createWindowChanges, isSafeToRepeat, type WindowDesk, type WindowWish } from '../../hands/window-changes.ts';
import type { InputDriver, MouseButton } from '../../input.ts';
import { createWaitFor } from '../../looks/wait-for.ts';
import { withinDeadline } from '../../stopping.ts';
import { type Applications, runningApp } from '../applications.ts';
import { readDesktop, toScreenWindows } from '../desktop-state.ts';
import {
  ALLOW_OSASCRIPT,
  type Clock,
  cleanEnvironment,
  howItEnded,
  type RunProgram,
  runScript,
} from '../run-script.ts';
import { createMacActing, type MacActing, type MacHands, type MacInputNeeds } from './acting.ts';
import { askElements, failureOf } from './ask-elements.ts';
import { createSights, elementDesk } from './element-actions.ts';
import { type InputEvent, SECURE } from './seat.ts';
import { findWay } from './type-text.ts';
import {
  chordEvents,
  isMissing,
  modifierEvents,
  namedStroke,
  readLayout,
  type Stroke,
  shortcutOf,
  strokeOf,
} from './virtual-keys.ts';

/** It travels as an argument of a program. */
const MOST_BYTES = 200_000;
const TIMEOUT_MS = 5_000;

const Held = Type.Union([
  Type.Object({ kind: Type.Literal('text'), text: Type.String(), changeCount: Type.Integer() }),
  Type.Object({ kind: Type.Enum(['empty', 'other', 'concealed']) }),
]);
const shape = Compile(Held);

const CONCEALED = {
  code: 'not_supported',
  message: 'The clipboard holds something that its app marks as secret, such as a password. Handrail does not read it.',
} as const;

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

const LOOK_EVERY_MS = 100;

function createWindowActions(acting: MacActing, { run, clock }: { run: RunProgram; clock: Clock }): Windows {
  const listWindows: Windows['listWindows'] = (attempt) =>
    acting.look(attempt, async (signal) => {
      const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
      if (signal.aborted) return stoppedInput(signal);
      if (!state.ok) return refused({ code: 'internal_error', message: state.message });
      const windows = toScreenWindows(state.data.windows, state.data.apps);
      return told(`There are ${windows.length} windows.`, { windows });
    });
  return {
    listWindows,
    async windowPlaces(attempt) {
      const listed = await listWindows(attempt);
      return listed.ok ? listed.data.windows : [];
    },
    ...createWindowChanges(() => windowDesk({ run, clock }), acting),
  };
}

function windowDesk({ run, clock }: { run: RunProgram; clock: Clock }): WindowDesk {
  return {
    now: clock.now,
    async ask(windowId, wish, signal) {
      const asked = await askElements(run, { verb: 'change', windowId, ...requestOf(wish), signal });
      if (asked.ok) return undefined;
      const failed = failureOf(asked, { signal, isChange: true });
      return isSafeToRepeat(wish) ? { ...failed, safeToRepeat: true } : failed;
    },
    async look(windowId, signal) {
      const now = await askElements(run, { verb: 'window', windowId, signal });
      if (now.ok) return now;
      return now.fault === 'gone' ? null : undefined;
    },
    untilLater: (signal) => clock.wait(LOOK_EVERY_MS, signal),
  };
}

function requestOf(wish: WindowWish) {
  if (wish.wish !== 'move') return wish;
  const { x, y, width, height } = wish.bounds;
  return { wish: wish.wish, position: bytesOf(x, y), size: bytesOf(width, height) };
}

/** Two numbers as CGPoint and CGSize hold them, for a script that can only hand over bytes. */
function bytesOf(one: number, other: number): string {
  const bytes = Buffer.alloc(16);
  const write = endianness() === 'LE' ? bytes.writeDoubleLE : bytes.writeDoubleBE;
  write.call(bytes, one, 0);
  write.call(bytes, other, 8);
  return bytes.toString('base64');
}

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 0, right: 1, middle: 2 };
/** An event that was posted arrives within this time. */
const ARRIVAL_MS = 30;

const pointerDesk: PointerDesk<InputEvent, MacHands> = {
  displays: async ({ displays }) => displays,
  motionTo: ({ x, y }) => ({ kind: 'move', x, y }),
  buttonOf: (button, isDown, clicks) => ({ kind: 'button', button: BUTTONS[button], isDown, clicks }),
  notchesOf,
  modifiersOf: async (held) => modifierEvents(held),
  async isAt({ send, pause }, point) {
    if (isNear((await send([])).pointer, point)) return true;
    await pause(ARRIVAL_MS);
    return isNear((await send([])).pointer, point);
  },
};

/** One event for each notch, as a wheel makes them. */
function notchesOf(dx: number, dy: number): InputEvent[] {
  const down = Array.from({ length: Math.abs(dy) }, (): InputEvent => ({ kind: 'scroll', dx: 0, dy: Math.sign(dy) }));
  const right = Array.from({ length: Math.abs(dx) }, (): InputEvent => ({ kind: 'scroll', dx: Math.sign(dx), dy: 0 }));
  return [...down, ...right];
}

/** macOS may keep a fraction of a point or drop it. */
function isNear(pointer: Point, { x, y }: Point): boolean {
  return Math.abs(pointer.x - x) <= 1 && Math.abs(pointer.y - y) <= 1;
}

const OPEN = '/usr/bin/open';
const OPEN_MS = 10_000;

type OpenUrlNeeds = { run: RunProgram; clock: Clock; applications: Applications };

type Opener = { path: string; app: ResolvedApp };

const nullable = Type.Union([Type.String(), Type.Null()]);
const answerShape = Compile(Type.Object({ path: nullable, bundleId: nullable, name: nullable }));

const SCRIPT_TIMEOUT_MS = 3_000;

/** The app that macOS opens the addresses of a scheme with; null where it names none. Mail is not looked up. */
export async function openerOf(
  scheme: WebAddress['scheme'],
  { run, applications, signal }: { run: RunProgram; applications: Applications; signal: AbortSignal },
): Promise<Opener | null> {
  if (scheme === 'mailto') return null;
  const answer = await runScript(run, {
    script: 'address-opener',
    request: { scheme },
    answer: answerShape,
    timeoutMs: SCRIPT_TIMEOUT_MS,
    signal,
  });
  if (!answer.ok || answer.data.path === null) return null;
  const { path, bundleId, name } = answer.data;
  const app = await runningApp({ path, bundleId, name: name ?? '' }, applications, signal);
  return signal.aborted ? null : { path, app };
}

function openUrlDesk(needs: OpenUrlNeeds): OpenUrlDesk<Opener> {
  const { run, clock } = needs;
  return {
    now: clock.now,
    wait: clock.wait,
    windows: (signal) => windowsNow(run, signal),
    openerOf: (scheme, signal) => openerOf(scheme, { ...needs, signal }),
    give: ({ url }, opener, signal) => give(url, opener, { run, signal }),
  };
}

/** To the app by its path, so that it is the one that was judged. */
async function give(
  url: string,
  opener: Opener | null,
  { run, signal }: { run: RunProgram; signal: AbortSignal },
): Promise<Failure | null> {
  const args = opener === null ? [url] : ['-a', opener.path, url];
  const environment = cleanEnvironment(process.env);
  const opened = await run({ program: OPEN, args, timeoutMs: OPEN_MS, environment, signal });
  if (signal.aborted) return stoppedInput(signal, 'The address may have been given to the browser.');
  if (opened.kind === 'exited' && opened.exitCode === 0) return null;
  return refused({ code: 'not_supported', message: `The address could not be opened: ${howItEnded(opened)}` });
}

async function windowsNow(run: RunProgram, signal: AbortSignal): Promise<string | undefined> {
  const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
  if (!state.ok) return undefined;
  const front = state.data.apps.find((app) => app.frontmost)?.pid;
  return JSON.stringify([front, state.data.windows.map(({ id, title }) => [id, title])]);
}

/** Pointer, keyboard and windows of this Mac. A process that posts events starts with the first input. */
export function createMacInput(
  needs: MacInputNeeds & { applications: Applications; describeScreen: Driver['describeScreen'] },
): InputDriver {
  const { run } = needs;
  const acting = createMacActing(needs);
  const sights = createSights(run, needs.applications);
  return {
    ...sights,
    findControl: createFindControl(describedDesk(needs.describeScreen, sights.sight)),
    ...createPointer(acting, pointerDesk),
    pressKeys: createPressKeys(acting, createChordKeys(run)),
    typeText: createTypeText(acting, findWay(run)),
    ...createElementActions(acting, elementDesk(run)),
    ...createWindowActions(acting, needs),
    ...createClipboardActions(clipboardDesk(acting, run)),
    waitFor: createWaitFor(needs.describeScreen),
    settle: acting.settle,
    async page({ windowId }, attempt) {
      const answer = await askElements(run, { verb: 'page', windowId, signal: withinDeadline(attempt) });
      return answer.ok ? answer.page : '';
    },
    ...createOpenUrl(openUrlDesk(needs)),
    close: () => acting.close(),
  };
}

type Ask = (write: string | undefined, signal: AbortSignal) => Promise<Static<typeof Held> | Failure>;

function clipboardDesk(acting: MacActing, run: RunProgram): ClipboardDesk {
  const ask: Ask = async (write, signal) => {
    const request = { ...(write !== undefined && { write }) };
    const answer = await runScript(run, { script: 'clipboard', request, answer: shape, timeoutMs: TIMEOUT_MS, signal });
    if (signal.aborted) return stoppedInput(signal, write && 'The text may be in the clipboard.');
    if (answer.ok) return answer.data;
    return refused({ code: 'internal_error', message: answer.message, fix: ALLOW_OSASCRIPT });
  };
  return {
    mostBytes: MOST_BYTES,
    inTurn: (attempt, work) =>
      acting.onScreen(attempt, (signal) => {
        const objection = () => objectionTo(signal, attempt.lastLook);
        return work({ objection, read: () => read(ask, signal), write: (text) => write(ask, text, signal) });
      }),
  };
}

async function read(ask: Ask, signal: AbortSignal) {
  const held = await ask(undefined, signal);
  if ('code' in held) return held;
  if (held.kind === 'concealed') return refused(CONCEALED);
  return held.kind === 'text' ? held.text : held.kind === 'empty' ? '' : null;
}

async function write(ask: Ask, text: string, signal: AbortSignal) {
  const held = await ask(text, signal);
  return 'code' in held ? held : held.kind === 'text' && held.text === text;
}

function createChordKeys(run: RunProgram): ChordKeys<InputEvent, MacHands> {
  return async (chord, turn) => {
    if (turn.isSecure) return SECURE;
    const stroke = await strokeFor(run, chord, turn.signal);
    if (stroke === undefined) return undefined;
    const [press, release] = chordEvents(chord.modifiers, stroke);
    return { press, release };
  };
}

/** A character alone is typed, so that no other one may take its place. */
async function strokeFor(
  run: RunProgram,
  { key, modifiers }: KeyChord,
  signal: AbortSignal,
): Promise<Stroke | undefined> {
  const named = namedStroke(key);
  if (named !== undefined || isMissing(key)) return named;
  const layout = await readLayout(run, signal);
  const find = modifiers.some((modifier) => modifier !== 'shift') ? shortcutOf : strokeOf;
  return layout.ok ? find(key, layout.data) : undefined;
}
