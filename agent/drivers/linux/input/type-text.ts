import type { Delivery, InputFailed, InputOutcome, Typed, TypeTextWish } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import { unwantedCharacter } from '../../unwanted-character.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { type AccessibleObject, accessibleObject, type TextState } from './accessible-object.ts';
import type { Turn } from './acting.ts';
import { type Clipboard, createClipboard } from './clipboard.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, type Stroke, symbolOf } from './keyboard.ts';
import { focusSince } from './keyboard-focus.ts';
import { paste } from './paste.ts';
import { around } from './pointer.ts';
import type { Seat } from './seat.ts';
import type { SightNeeds } from './sight.ts';
import { eventsOf, readsBack, type Way, wayOf, withInserted } from './typing.ts';

/** Between two batches it is seen whether the input is to end. */
const BATCH = 20;
/** A keyboard that moves more often is not still enough to type. */
const MOST_LOOKS = 5;

export type TypeTextNeeds = SightNeeds & { clipboardOf(seat: Seat): Promise<Clipboard> };

export async function typeText(needs: TypeTextNeeds, wish: TypeTextWish, turn: Turn): Promise<InputOutcome<Typed>> {
  const fault = unwantedCharacter(wish);
  if (fault !== undefined) return refused({ code: 'invalid_target', message: fault });
  const layout = await turn.seat.layout();
  const askedAtMs = performance.now();
  const keyboard = await judgedKeyboard(turn);
  if (typeof keyboard === 'object') return keyboard;
  // The field that this last look has seen: before it, the keyboard may have been elsewhere.
  const field = await fieldOf(needs, askedAtMs);
  if (field?.node.isPassword === true) return refused(PASSWORD);
  const way = wayOf(wish.text, { layout, receiver: field ?? null });
  if (typeof way === 'string') return refused({ code: 'not_typable', message: way });
  if (wish.clear === true && (await clear(turn, field, layout)) === 'stopped') return stoppedInput(turn.signal);
  const before = (await field?.object.text()) ?? null;
  needs.typing.unread = wish.text;
  const failed = await type(turn, { needs, way, text: wish.text, field, before, layout, keyboard });
  if (failed !== undefined) return wish.clear === true ? { ...failed, ...PART_DONE } : failed;
  const typedCharacters = [...wish.text].length;
  const isConfirmed =
    field !== undefined &&
    before !== null &&
    (await readsBack(field.object, withInserted(before, wish.text), turn.signal));
  if (isConfirmed) needs.typing.unread = undefined;
  const details = `Typed ${typedCharacters} characters${isConfirmed ? '' : '; they could not be read back exactly'}.`;
  return inputDone(details, { isConfirmed, data: { typedCharacters } });
}

/** The window that had the keyboard while its target was judged. A click into a field may move the keyboard a little later. */
async function judgedKeyboard({ seat, objection }: Turn): Promise<number | (InputFailed & Delivery)> {
  let now = await seat.send([]);
  for (let look = 1; ; look += 1) {
    const before = now;
    const failed = await objection();
    if (failed !== undefined) return failed;
    now = await seat.send([]);
    if (now === before || look === MOST_LOOKS) return before;
  }
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
  keyboard: number;
};

async function type({ seat, signal }: Turn, { needs, way, text, field, before, layout, keyboard }: Typing) {
  switch (way.kind) {
    case 'keys':
      return pressAll({ seat, signal }, way.strokes, keyboard);
    case 'insert': {
      const at = { start: before?.start ?? 0, end: before?.end ?? 0, isInUtf16: way.isInUtf16 };
      if (before !== null && (await field?.object.insert(text, at)) === true) return undefined;
      return refused({ code: 'not_typable', message: 'The field did not take the text.' });
    }
    case 'paste':
      return paste(await needs.clipboardOf(seat), {
        text,
        field,
        before,
        signal,
        send: (events) => seat.send(events),
        layout,
      });
  }
}

async function pressAll({ seat, signal }: Pick<Turn, 'seat' | 'signal'>, strokes: readonly Stroke[], keyboard: number) {
  let now = await seat.send([]);
  for (let typed = 0; typed < strokes.length; typed += BATCH) {
    const howFar = typed === 0 ? undefined : `${typed} characters were typed.`;
    if (signal.aborted) return stoppedInput(signal, howFar);
    if (now !== keyboard) return strayed(howFar);
    now = await seat.send(strokes.slice(typed, typed + BATCH).flatMap(eventsOf));
  }
  return undefined;
}

/** The rest of a text is not for a window that nobody has judged. */
function strayed(howFar: string | undefined) {
  const failed = refused({
    code: 'target_changed',
    message: `Another window took the keyboard. ${howFar ?? 'Nothing was done.'}`,
  });
  return howFar === undefined ? failed : { ...failed, ...PART_DONE };
}

async function clear(
  { seat, signal }: Turn,
  field: Field | undefined,
  layout: KeyboardLayout,
): Promise<'stopped' | 'cleared'> {
  if (field?.node.interfaces.has('EditableText') && (await field.object.deleteAll())) return 'cleared';
  const finder = createKeyFinder(layout);
  const [all, backspace] = [finder.ofSymbol(symbolOf('a')), finder.ofSymbol(KEYSYMS.backspace)];
  if (signal.aborted) return 'stopped';
  if (all !== undefined && backspace !== undefined)
    await seat.send([...around(eventsOf(all), ['ctrl'], layout), ...eventsOf(backspace)]);
  return 'cleared';
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

/** The field was emptied, or has a part of the text. */
const PART_DONE = { sideEffect: 'done', delivered: 'yes', safeToRepeat: false } as const;
const PASSWORD = {
  code: 'invalid_target',
  message: 'The keyboard is in a password field. Handrail types no passwords.',
} as const;
