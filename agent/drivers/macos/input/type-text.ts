import { refused, stoppedInput } from '../../hands/input-outcome.ts';
import { type KeyGroup, MOST_TOGETHER, sendKeys } from '../../hands/judged-keys.ts';
import { type FindWay, groupsOf, PASSWORD_FOCUSED } from '../../hands/keyboard.ts';
import type { RunProgram } from '../run-script.ts';
import type { MacHands, MacTurn } from './acting.ts';
import { askElements, failureOf, type MacField } from './ask-elements.ts';
import { type InputEvent, SECURE } from './seat.ts';
import { chordEvents, type KeyboardLayout, namedStroke, readLayout, shortcutOf } from './virtual-keys.ts';

/** An event drops what is beyond so many UTF-16 units. */
const MOST_UNITS = 20;

const READ_BACK_MS = 1_500;
const LOOK_EVERY_MS = 20;

/**
 * Types by events that carry their characters, so the keyboard layout does not matter. An input method would compose the characters
 * again. While one is on, the text goes in through the accessibility tree.
 */
export function findWay(run: RunProgram): FindWay<MacHands> {
  return async ({ text, clear = false }, turn) => {
    const { signal, isSecure } = turn;
    if (isSecure) return refused(SECURE);
    const layout = await readLayout(run, signal);
    if (signal.aborted) return stoppedInput(signal);
    if (!layout.ok) return refused({ code: 'internal_error', message: layout.message });
    const isByEvents = layout.data.isLayout;
    const clearing = clear ? clearEvents(layout.data) : [];
    if (clearing === undefined) return refused(NOT_CLEARED);
    return async () => {
      const asked = await askElements(run, { verb: 'field', signal });
      if (!asked.ok) return failureOf(asked, { signal, isChange: false });
      if (asked.field?.isPassword === true) return refused(PASSWORD_FOCUSED);
      if (!isByEvents && asked.field === null) return refused(COMPOSED);
      const before = clear ? EMPTY : asked.field;
      return {
        clear: (only) => sendKeys(turn, { only, groups: clearing }),
        type: (only) => (isByEvents ? typeAll(turn, text, only) : insert(run, turn, text)),
        isTaken: () => readsBack(run, turn, withInserted(before, text)),
      };
    };
  };
}

function typeAll(turn: MacTurn, text: string, only: number) {
  const pieces = piecesOf(text);
  const howFar = (sent: number) =>
    `${[...pieces.slice(0, sent * MOST_TOGETHER).join('')].length} characters were typed.`;
  return sendKeys(turn, { only, groups: groupsOf(pieces, eventsOf), howFar });
}

async function insert(run: RunProgram, { signal, objectionBetween }: MacTurn, text: string) {
  const strayed = await objectionBetween();
  if (signal.aborted) return stoppedInput(signal);
  if (strayed !== null) return refused(strayed);
  const answer = await askElements(run, { verb: 'insert', text, signal });
  if (answer.ok) return undefined;
  return answer.fault === 'unsupported' ? refused(COMPOSED) : failureOf(answer, { signal, isChange: true });
}

/** Selects everything and deletes it. */
function clearEvents(layout: KeyboardLayout): KeyGroup<InputEvent>[] | undefined {
  const [all, backspace] = [shortcutOf('a', layout), namedStroke('backspace')];
  if (all === undefined || backspace === undefined) return undefined;
  return [{ press: [...chordEvents(['cmd'], all), ...chordEvents([], backspace)].flat(), release: [] }];
}

/** The text that the field then holds; `undefined` where its app does not tell enough. */
function withInserted(before: MacField | null, text: string): string | undefined {
  if (before === null || before.value === null || before.start === null) return undefined;
  return before.value.slice(0, before.start) + text + before.value.slice(before.start + before.length);
}

async function readsBack(run: RunProgram, { signal, pause }: MacTurn, expected: string | undefined): Promise<boolean> {
  if (expected === undefined) return false;
  for (let waitedMs = 0; waitedMs < READ_BACK_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    const answer = await askElements(run, { verb: 'field', signal });
    if (answer.ok && answer.field?.value === expected) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}

const EMPTY: MacField = { isPassword: false, value: '', start: 0, length: 0 };
const COMPOSED = {
  code: 'not_typable',
  message: 'An input method composes what is typed, and the focused field takes no text in another way.',
  fix: 'Switch the keyboard to a layout without an input method.',
} as const;
const NOT_CLEARED = {
  code: 'not_typable',
  message: 'The keyboard layout has no key for Command-A, so the field cannot be emptied.',
} as const;

/** One piece for each character as a person sees it; one that is too long is cut between code points. */
export function piecesOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return [...segments].flatMap(({ segment }) => (segment.length <= MOST_UNITS ? [segment] : cut(segment)));
}

/** Line breaks and tabs are keys: many apps drop them from the characters of an event. */
export function eventsOf(piece: string): InputEvent[] {
  const key = piece === '\n' ? namedStroke('enter') : piece === '\t' ? namedStroke('tab') : undefined;
  return key === undefined ? [{ kind: 'text', text: piece }] : chordEvents([], key).flat();
}

function cut(segment: string): string[] {
  const pieces = [''];
  for (const character of segment) {
    const last = pieces.length - 1;
    const piece = `${pieces[last]}${character}`;
    if (piece.length <= MOST_UNITS) pieces[last] = piece;
    else pieces.push(character);
  }
  return pieces;
}
