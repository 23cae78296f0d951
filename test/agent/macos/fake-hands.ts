import type { Point } from '../../../src/contract/picture-frames.ts';
import type { FakeElement, FakeMac } from './fake-mac.ts';

/** Pointer, keyboard and clipboard of a Mac in memory. */
export type FakeHands = {
  /** One line for each event, as `press left at 3,4`. */
  seen: string[];
  /** Buttons by name, and keys as `key 56`. */
  down: Set<string>;
  pointer: Point;
  /** What the window server counts: events of devices and of programs alike. */
  events: number;
  lastEventMs: number;
  isSecure: boolean;
  /** Keys of a device that are down, as the flags of modifiers. */
  deviceFlags: number;
  inputSource: string;
  /** The characters on the keys by their codes, plain and with Shift; a US keyboard without it. */
  keys?: Readonly<Record<number, string>>;
  clipboard: { types: string[]; text: string | null; changeCount: number };
  /** Seconds for which the person's own devices are dead after an event. */
  suppressionSeconds: number;
};

export type FakeEvent = {
  type: number;
  at: Point;
  flags: number;
  button: number;
  code: number;
  text: string | null;
  lines: readonly [number, number];
  clicks: number;
};

export function createFakeHands(nowMs: number): FakeHands {
  return {
    seen: [],
    down: new Set(),
    pointer: { x: 0, y: 0 },
    events: 1_000,
    lastEventMs: nowMs - 60_000,
    isSecure: false,
    deviceFlags: 0,
    inputSource: 'TISTypeKeyboardLayout',
    clipboard: { types: [], text: null, changeCount: 1 },
    suppressionSeconds: 0.25,
  };
}

/** The person moves the mouse. */
export function touch(mac: FakeMac): void {
  mac.hands.events += 3;
  mac.hands.lastEventMs = mac.clock.now();
}

/** Delivers an event that a program posted. */
export function deliver(mac: FakeMac, event: FakeEvent): void {
  const { hands } = mac;
  hands.events += 1;
  hands.lastEventMs = mac.clock.now();
  const step = EFFECTS[event.type];
  if (step === undefined) throw new TypeError(`no event has the type ${event.type}`);
  step(mac, event);
}

type Effect = (mac: FakeMac, event: FakeEvent) => void;

const NAMES = ['left', 'right', 'middle'];

const EFFECTS: Readonly<Record<number, Effect>> = {
  1: press,
  2: letGo,
  3: press,
  4: letGo,
  25: press,
  26: letGo,
  5: moveTo,
  6: moveTo,
  7: moveTo,
  27: moveTo,
  10: keyDown,
  11: keyUp,
  12: (mac, event) => (mac.hands.down.has(`key ${event.code}`) ? keyUp(mac, event) : keyDown(mac, event)),
  22: ({ hands }, { lines: [up, left], at }) => {
    hands.seen.push(`scroll ${-left || 0},${-up || 0} lines at ${place(at)}`);
  },
};

function press({ hands }: FakeMac, { button, at, clicks }: FakeEvent): void {
  const name = NAMES[button] ?? '';
  hands.down.add(name);
  hands.seen.push(`press ${name} at ${place(at)}`);
  if (clicks > 1) hands.seen.push(`click ${clicks}`);
}

function letGo({ hands }: FakeMac, { button }: FakeEvent): void {
  hands.down.delete(NAMES[button] ?? '');
  hands.seen.push(`release ${NAMES[button]}`);
}

function moveTo({ hands }: FakeMac, { at }: FakeEvent): void {
  hands.pointer = at;
  hands.seen.push(`move to ${place(at)}`);
}

const BACKSPACE = 51;
const LETTER_A = 0;
const RETURN = 36;
const TAB = 48;
const COMMAND = 0x100000;

function keyDown(mac: FakeMac, { code, text, flags }: FakeEvent): void {
  const field = focusedIn(mac);
  if (text !== null) {
    mac.hands.seen.push(`type ${text}`);
    if (field !== undefined) insertInto(field, text);
    return;
  }
  mac.hands.down.add(`key ${code}`);
  mac.hands.seen.push(`press key ${code} with ${flags.toString(16)}`);
  if (field === undefined) return;
  if (code === BACKSPACE) erase(field);
  if (code === RETURN) insertInto(field, '\n');
  if (code === TAB) insertInto(field, '\t');
  if (code === LETTER_A && flags & COMMAND) field.selection = { start: 0, length: String(field.value ?? '').length };
}

function keyUp({ hands }: FakeMac, { code, text }: FakeEvent): void {
  if (text !== null) return;
  hands.down.delete(`key ${code}`);
  hands.seen.push(`release key ${code}`);
}

/** What has the keyboard, in the app in front. */
export function focusedIn(mac: FakeMac): FakeElement | undefined {
  const all = mac.windows.filter(({ pid }) => pid === mac.frontmostPid).flatMap(({ element }) => element ?? []);
  return all.flatMap(withinElement).find(({ focused }) => focused);
}

export function withinElement(element: FakeElement): FakeElement[] {
  return [element, ...(element.children ?? []).flatMap(withinElement)];
}

export function selectionOf(field: FakeElement): { start: number; length: number } {
  return field.selection ?? { start: String(field.value ?? '').length, length: 0 };
}

export function insertInto(field: FakeElement, text: string): void {
  const value = String(field.value ?? '');
  const { start, length } = selectionOf(field);
  field.value = value.slice(0, start) + text + value.slice(start + length);
  field.selection = { start: start + text.length, length: 0 };
}

function erase(field: FakeElement): void {
  const { start, length } = selectionOf(field);
  field.selection = length > 0 ? { start, length } : { start: Math.max(0, start - 1), length: Math.min(1, start) };
  insertInto(field, '');
}

function place({ x, y }: Point): string {
  return `${Math.floor(x)},${Math.floor(y)}`;
}
