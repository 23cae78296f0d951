import { inputDone, PART_DONE, refused, stoppedInput } from '../../hands/input-outcome.ts';
import { judgedHolder, type KeyGroup, MOST_TOGETHER, sendKeys } from '../../hands/judged-keys.ts';
import { unwantedCharacter } from '../../hands/unwanted-character.ts';
import type { InputOutcome, Typed, TypeTextWish } from '../../input.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { type AccessibleObject, accessibleObject, type TextState } from './accessible-object.ts';
import type { LinuxTurn } from './acting.ts';
import { type Clipboard, createClipboard } from './clipboard.ts';
import type { FakeEvent } from './fake-events.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, type Stroke, symbolOf } from './keyboard.ts';
import { focusSince } from './keyboard-focus.ts';
import { paste } from './paste.ts';
import { around } from './pointer.ts';
import type { Seat } from './seat.ts';
import type { SightNeeds } from './sight.ts';
import { eventsOf, readsBack, type Way, wayOf, withInserted } from './typing.ts';

export type TypeTextNeeds = SightNeeds & { clipboardOf(seat: Seat): Promise<Clipboard> };

export async function typeText(
  needs: TypeTextNeeds,
  wish: TypeTextWish,
  turn: LinuxTurn,
): Promise<InputOutcome<Typed>> {
  const fault = unwantedCharacter(wish);
  if (fault !== undefined) return refused({ code: 'invalid_target', message: fault });
  const layout = await turn.seat.layout();
  const askedAtMs = performance.now();
  const only = await judgedHolder(turn);
  if (typeof only === 'object') return only;
  // The field that this last look has seen: before it, the keyboard may have been elsewhere.
  const field = await fieldOf(needs, askedAtMs);
  if (field?.node.isPassword === true) return refused(PASSWORD);
  const way = wayOf(wish.text, { layout, receiver: field ?? null });
  if (typeof way === 'string') return refused({ code: 'not_typable', message: way });
  const uncleared = wish.clear === true ? await clear(turn, { field, layout, only }) : undefined;
  if (uncleared !== undefined) return uncleared;
  const before = (await field?.object.text()) ?? null;
  needs.typing.unread = wish.text;
  const failed = await type(turn, { needs, way, text: wish.text, field, before, layout, only });
  // The field was emptied before it failed.
  if (failed !== undefined) return wish.clear === true ? { ...failed, ...PART_DONE } : failed;
  const typedCharacters = [...wish.text].length;
  const isConfirmed = await hasTaken(field, { wish, before }, turn.signal);
  if (isConfirmed) needs.typing.unread = undefined;
  const details = `Typed ${typedCharacters} characters${isConfirmed ? '' : '; they could not be read back exactly'}.`;
  return inputDone(details, { isConfirmed, data: { typedCharacters } });
}

async function hasTaken(
  field: Field | undefined,
  { wish, before }: { wish: TypeTextWish; before: TextState | null },
  signal: AbortSignal,
): Promise<boolean> {
  if (field === undefined || before === null) return false;
  // A page empties a field only a moment after the keys for it.
  return readsBack(field.object, wish.clear === true ? wish.text : withInserted(before, wish.text), signal);
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

async function type(turn: LinuxTurn, { needs, way, text, field, before, layout, only }: Typing) {
  const { seat, signal } = turn;
  switch (way.kind) {
    case 'keys': {
      const howFar = (groups: number) => `${groups * MOST_TOGETHER} characters were typed.`;
      return sendKeys(turn, { only, groups: groupsOf(way.strokes), howFar });
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

function groupsOf(strokes: readonly Stroke[]): KeyGroup<FakeEvent>[] {
  return Array.from({ length: Math.ceil(strokes.length / MOST_TOGETHER) }, (_, index) => {
    const together = strokes.slice(index * MOST_TOGETHER, (index + 1) * MOST_TOGETHER);
    return { press: together.flatMap(eventsOf), release: [] };
  });
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

const PASSWORD = {
  code: 'invalid_target',
  message: 'The keyboard is in a password field. Handrail types no passwords.',
} as const;
