import { setTimeout as pause } from 'node:timers/promises';
import { refused, stoppedInput } from '../../hands/input-outcome.ts';
import { MOST_TOGETHER, sendKeys } from '../../hands/judged-keys.ts';
import { type FindWay, groupsOf, PASSWORD_FOCUSED } from '../../hands/keyboard.ts';
import type { Delivery, InputFailed } from '../../input.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { BROWSER_ENGINES } from '../aria-roles.ts';
import { type AccessibleObject, accessibleObject, type TextState } from './accessible-object.ts';
import type { LinuxHands, LinuxTurn } from './acting.ts';
import { type Clipboard, createClipboard, MOST_CLIPBOARD_BYTES } from './clipboard.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, type Stroke, strokesOf, symbolOf } from './keyboard.ts';
import { focusSince } from './keyboard-focus.ts';
import { around } from './pointer.ts';
import type { FakeEvent, Seat } from './seat.ts';
import type { SightNeeds } from './sight.ts';

export type TypeTextNeeds = SightNeeds & { clipboardOf(seat: Seat): Promise<Clipboard> };

/** One way for all of a text: two ways would overtake each other. */
type Way = { kind: 'keys'; strokes: readonly Stroke[] } | { kind: 'insert'; isInUtf16: boolean } | { kind: 'paste' };

/** The object that has the keyboard focus, if its app describes it. */
type Receiver = { node: AccessibleNode; toolkit: string } | null;

/** Beyond that, an app takes a text that is put in many times faster than its keys. */
const MOST_BY_KEYS = 300;

/** How a text can be typed exactly, or why it cannot. */
function wayOf(text: string, { layout, receiver }: { layout: KeyboardLayout; receiver: Receiver }): Way | string {
  const strokes = strokesOf(text, layout);
  const isShort = text.length <= MOST_BY_KEYS;
  if (strokes !== undefined && (isShort || receiver === null)) return { kind: 'keys', strokes };
  const isEditable = receiver?.node.states.editable === true;
  // These take a text put in as a new document, without telling the page.
  const isBrowser = receiver !== null && BROWSER_ENGINES.has(receiver.toolkit);
  if (isEditable && !isBrowser && receiver?.node.interfaces.has('EditableText'))
    return { kind: 'insert', isInUtf16: receiver.toolkit === 'Qt' };
  if (strokes !== undefined) return { kind: 'keys', strokes };
  if (isEditable) return { kind: 'paste' };
  return 'The keyboard layout has no key for a character of the text, and the focused field takes no text in another way.';
}

export function eventsOf({ keycode, held }: Stroke): FakeEvent[] {
  const down = (key: number): FakeEvent => ({ kind: 'key', keycode: key, isDown: true });
  const up = (key: number): FakeEvent => ({ kind: 'key', keycode: key, isDown: false });
  return [...held.map(down), down(keycode), up(keycode), ...held.toReversed().map(up)];
}

const READ_BACK_MS = 1_500;
const LOOK_EVERY_MS = 10;

/** Whether the field holds exactly what it should, as soon as it does. */
export async function readsBack(object: AccessibleObject, expected: string, signal: AbortSignal): Promise<boolean> {
  return soon(async () => (await object.text())?.value === expected, signal);
}

/** Looks again and again: an app may take in a value only a moment later. */
export async function soon(holds: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + READ_BACK_MS;
  do {
    if (await holds()) return true;
    await pause(LOOK_EVERY_MS);
  } while (performance.now() < endMs && !signal.aborted);
  return false;
}

function withInserted({ value, start, end }: TextState, text: string): string {
  const characters = [...value];
  return [...characters.slice(0, start), text, ...characters.slice(end)].join('');
}

export function findWay(needs: TypeTextNeeds): FindWay<LinuxHands> {
  return async (wish, turn) => {
    const layout = await turn.seat.layout();
    const askedAtMs = performance.now();
    return async () => {
      const field = await fieldOf(needs, askedAtMs);
      if (field?.node.isPassword === true) return refused(PASSWORD_FOCUSED);
      const way = wayOf(wish.text, { layout, receiver: field ?? null });
      if (typeof way === 'string') return refused({ code: 'not_typable', message: way });
      let before: TextState | null = null;
      return {
        clear: (only) => clear(turn, { field, layout, only }),
        async type(only) {
          before = (await field?.object.text()) ?? null;
          needs.typing.unread = wish.text;
          return type(turn, { needs, way, text: wish.text, field, before, layout, only });
        },
        async isTaken() {
          if (field === undefined || before === null) return false;
          // A page empties a field only a moment after the keys for it.
          const expected = wish.clear === true ? wish.text : withInserted(before, wish.text);
          const isTaken = await readsBack(field.object, expected, turn.signal);
          if (isTaken) needs.typing.unread = undefined;
          return isTaken;
        },
      };
    };
  };
}

type Field = { node: AccessibleNode; object: AccessibleObject; toolkit: string };

async function fieldOf(needs: TypeTextNeeds, sinceMs: number): Promise<Field | undefined> {
  const focus = await focusSince(needs, sinceMs);
  return focus === undefined ? undefined : { ...focus, object: accessibleObject(needs.bus, focus.node.ref) };
}

type Typing = {
  needs: TypeTextNeeds;
  way: Way;
  text: string;
  field: Field | undefined;
  before: TextState | null;
  layout: KeyboardLayout;
  /** The window that had the keyboard before the last look. */
  only: number;
};

type Failure = InputFailed & Delivery;

type Pasting = {
  text: string;
  /** The field that takes the text, if its app reports one. `before` is the text that the field held. */
  field: { object: AccessibleObject } | undefined;
  before: TextState | null;
  layout: KeyboardLayout;
  signal: AbortSignal;
  /** Answers why nothing was sent, if so. */
  send(events: readonly FakeEvent[]): Promise<Failure | undefined>;
};

/**
 * Types a text by way of the clipboard. The clipboard is as before afterwards; where that cannot be done, nothing is pasted. Another
 * program may take the clipboard between write and paste; then the text may be its own, and the caller learns that.
 */
export async function paste(clipboard: Clipboard, pasting: Pasting): Promise<Failure | undefined> {
  const { text, signal } = pasting;
  if (Buffer.byteLength(text) > MOST_CLIPBOARD_BYTES) return refused(TOO_LONG);
  const saved = await clipboard.save();
  if (signal.aborted) return stoppedInput(signal);
  if (saved === null) return refused(CLIPBOARD_IN_USE);
  try {
    return await pasteFrom(clipboard, pasting);
  } finally {
    if (await clipboard.isOurs()) await clipboard.offer(saved);
  }
}

async function pasteFrom(clipboard: Clipboard, { text, field, before, signal, send, layout }: Pasting) {
  const isOurs = await clipboard.write(text);
  const stroke = createKeyFinder(layout).ofShortcut(symbolOf('v'));
  if (signal.aborted) return stoppedInput(signal);
  if (!isOurs || stroke === undefined) return refused(CLIPBOARD_IN_USE);
  const takenBefore = clipboard.taken();
  const unsent = await send(around(eventsOf(stroke), ['ctrl'], layout));
  if (unsent !== undefined) return unsent;
  const isTaken = () => clipboard.taken() > takenBefore;
  for (let waitedMs = 0; !isTaken() && waitedMs < TAKEN_WITHIN_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    if (!(await clipboard.isOurs())) break;
    await pause(LOOK_EVERY_MS);
  }
  if (field !== undefined && before !== null) await readsBack(field.object, withInserted(before, text), signal);
  const isSwapped = !isTaken() && !(await clipboard.isOurs());
  return isSwapped ? { ...refused(SWAPPED), ...PASTED } : undefined; // guard N9-1
}

/** An app has so long to take the text. */
const TAKEN_WITHIN_MS = 1_500;
const TOO_LONG = { code: 'too_large', message: `Expected a text of at most ${MOST_CLIPBOARD_BYTES} bytes.` } as const;
const CLIPBOARD_IN_USE = {
  code: 'not_typable',
  message: 'The text has to be pasted, and the clipboard holds something that could not be put back.',
} as const;
const SWAPPED = {
  code: 'target_changed',
  message: 'Another program took the clipboard before the app did, so another text may have been pasted.',
  fix: 'Look at the field before you go on.',
} as const;
/** The keys were pressed. */
const PASTED = { sideEffect: 'unknown', delivered: 'unknown', safeToRepeat: false } as const;

async function type(turn: LinuxTurn, { needs, way, text, field, before, layout, only }: Typing) {
  const { seat, signal } = turn;
  switch (way.kind) {
    case 'keys': {
      const howFar = (groups: number) => `${groups * MOST_TOGETHER} characters were typed.`;
      return sendKeys(turn, { only, groups: groupsOf(way.strokes, eventsOf), howFar });
    }
    case 'insert': {
      const at = { start: before?.start ?? 0, end: before?.end ?? 0, isInUtf16: way.isInUtf16 };
      if (before !== null && (await field?.object.insert(text, at)) === true) return undefined;
      return refused({ code: 'not_typable', message: 'The field did not take the text.' });
    }
    case 'paste': {
      const send = (events: readonly FakeEvent[]) => sendKeys(turn, { only, groups: [{ press: events, release: [] }] });
      return paste(await needs.clipboardOf(seat), { text, field, before, signal, send, layout });
    }
  }
}

type Clearing = Pick<Typing, 'field' | 'layout' | 'only'>;

/** Answers why it did nothing, if so. */
async function clear(turn: LinuxTurn, { field, layout, only }: Clearing) {
  if (field?.node.interfaces.has('EditableText') && (await field.object.deleteAll())) return undefined;
  const finder = createKeyFinder(layout);
  const [all, backspace] = [finder.ofShortcut(symbolOf('a')), finder.ofSymbol(KEYSYMS.backspace)];
  if (turn.signal.aborted) return stoppedInput(turn.signal);
  if (all === undefined || backspace === undefined) return undefined;
  const press = [...around(eventsOf(all), ['ctrl'], layout), ...eventsOf(backspace)];
  return sendKeys(turn, { only, groups: [{ press, release: [] }], isJustSeen: true });
}

/** One for each seat: the window that owns the clipboard lives as long as the connection. */
export function createClipboards(): TypeTextNeeds['clipboardOf'] {
  const known = new WeakMap<Seat, Promise<Clipboard>>();
  return (seat) => {
    const clipboard = known.get(seat) ?? createClipboard(seat.line);
    known.set(seat, clipboard);
    return clipboard;
  };
}
