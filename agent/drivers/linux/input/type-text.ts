import { refused, stoppedInput } from '../../hands/input-outcome.ts';
import { MOST_TOGETHER, sendKeys } from '../../hands/judged-keys.ts';
import { type FindWay, groupsOf, PASSWORD_FOCUSED } from '../../hands/type-text.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { type AccessibleObject, accessibleObject, type TextState } from './accessible-object.ts';
import type { LinuxHands, LinuxTurn } from './acting.ts';
import { type Clipboard, createClipboard } from './clipboard.ts';
import type { FakeEvent } from './fake-events.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, symbolOf } from './keyboard.ts';
import { focusSince } from './keyboard-focus.ts';
import { paste } from './paste.ts';
import { around } from './pointer.ts';
import type { Seat } from './seat.ts';
import type { SightNeeds } from './sight.ts';
import { eventsOf, readsBack, type Way, wayOf, withInserted } from './typing.ts';

export type TypeTextNeeds = SightNeeds & { clipboardOf(seat: Seat): Promise<Clipboard> };

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
