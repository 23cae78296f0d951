import { setTimeout as pause } from 'node:timers/promises';
import type { AccessibleNode } from '../accessible-node.ts';
import { BROWSER_ENGINES } from '../aria-roles.ts';
import type { AccessibleObject, TextState } from './accessible-object.ts';
import type { FakeEvent } from './fake-events.ts';
import { type KeyboardLayout, type Stroke, strokesOf } from './keyboard.ts';

/** One way for all of a text: two ways would overtake each other. */
export type Way =
  | { kind: 'keys'; strokes: readonly Stroke[] }
  | { kind: 'insert'; isInUtf16: boolean }
  | { kind: 'paste' };

/** The object that has the keyboard focus, if its app describes it. */
export type Receiver = { node: AccessibleNode; toolkit: string } | null;

/** Beyond that, an app takes a text that is put in many times faster than its keys. */
const MOST_BY_KEYS = 300;

/** How a text can be typed exactly, or why it cannot. */
export function wayOf(
  text: string,
  { layout, receiver }: { layout: KeyboardLayout; receiver: Receiver },
): Way | string {
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

export function withInserted({ value, start, end }: TextState, text: string): string {
  const characters = [...value];
  return [...characters.slice(0, start), text, ...characters.slice(end)].join('');
}
