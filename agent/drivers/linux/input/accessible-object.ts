import { type AccessibilityBus, property, type Question } from '../accessibility-bus.ts';
import type { AccessibleNode, AccessibleRef } from '../accessible-node.ts';
import { readNode } from '../read-node.ts';

/** Questions and requests to one accessible object. All answer `null` or false when it is gone or refuses. */
export type AccessibleObject = {
  node(): Promise<AccessibleNode | null>;
  text(): Promise<TextState | null>;
  /** Puts a text in the place of the selection. `isInUtf16`: how the toolkit counts the length; else in bytes. */
  insert(text: string, at: { start: number; end: number; isInUtf16: boolean }): Promise<boolean>;
  setText(text: string): Promise<boolean>;
  deleteAll(): Promise<boolean>;
  number(): Promise<number | null>;
  setNumber(value: number): Promise<void>;
  actions(): Promise<string[]>;
  act(index: number): Promise<boolean>;
  grabFocus(): Promise<boolean>;
};

/** `start` and `end` of the selection, in characters; equal where nothing is selected. */
export type TextState = { value: string; start: number; end: number };

const TIMEOUT_MS = 2_000;
const TEXT = 'org.a11y.atspi.Text';
const EDITABLE = 'org.a11y.atspi.EditableText';
const VALUE = 'org.a11y.atspi.Value';
const ACTION = 'org.a11y.atspi.Action';
/** The effect on a longer text stays unverified. */
const MOST_CHARACTERS = 200_000;

export function accessibleObject(bus: AccessibilityBus, ref: AccessibleRef): AccessibleObject {
  const ask = async (question: Question) => (await bus.ask(ref, question, TIMEOUT_MS))?.[0];
  const isDone = async (question: Question) => (await ask(question)) === true;
  const count = async () => Number((await ask(property(TEXT, 'CharacterCount'))) ?? 0);
  const call = (ofInterface: string, member: string, signature: string, body: unknown[]) =>
    isDone({ interface: ofInterface, member, signature, body });
  const remove = (start: number, end: number) => call(EDITABLE, 'DeleteText', 'ii', [start, end]);
  return {
    node: () => readNode(bus, ref, () => TIMEOUT_MS),
    async text() {
      const [value, caret, selections] = await Promise.all([
        ask({ interface: TEXT, member: 'GetText', signature: 'ii', body: [0, MOST_CHARACTERS] }),
        ask(property(TEXT, 'CaretOffset')),
        ask({ interface: TEXT, member: 'GetNSelections' }),
      ]);
      if (typeof value !== 'string' || typeof caret !== 'number') return null;
      if (selections !== 1) return { value, start: caret, end: caret };
      const bounds = await bus.ask(
        ref,
        { interface: TEXT, member: 'GetSelection', signature: 'i', body: [0] },
        TIMEOUT_MS,
      );
      const [start, end] = (bounds ?? []).map(Number);
      return start === undefined || end === undefined ? null : { value, start, end };
    },
    async insert(text, { start, end, isInUtf16 }) {
      if (end > start && !(await remove(start, end))) return false;
      const length = isInUtf16 ? text.length : Buffer.byteLength(text);
      if (!(await call(EDITABLE, 'InsertText', 'isi', [start, text, length]))) return false;
      await call(TEXT, 'SetCaretOffset', 'i', [start + [...text].length]);
      return true;
    },
    setText: (text) => call(EDITABLE, 'SetTextContents', 's', [text]),
    deleteAll: async () => remove(0, await count()),
    async number() {
      const value = await ask(property(VALUE, 'CurrentValue'));
      return typeof value === 'number' ? value : null;
    },
    async setNumber(value) {
      await ask({
        interface: 'org.freedesktop.DBus.Properties',
        member: 'Set',
        signature: 'ssv',
        body: [VALUE, 'CurrentValue', ['d', value]],
      });
    },
    async actions() {
      const all = await ask({ interface: ACTION, member: 'GetActions' });
      return Array.isArray(all) ? all.map((one) => String(Array.isArray(one) ? one[0] : '')) : [];
    },
    act: (index) => call(ACTION, 'DoAction', 'i', [index]),
    grabFocus: () => isDone({ interface: 'org.a11y.atspi.Component', member: 'GrabFocus' }),
  };
}

/** The way back from the id of an element in a description. */
export function refOfElement(elementId: string): AccessibleRef | null {
  const slash = elementId.indexOf('/');
  if (slash <= 0) return null;
  const [bus, path] = [elementId.slice(0, slash), elementId.slice(slash)];
  const isShortened = /^\/(?:\d+|root)$/.test(path);
  return { bus, path: isShortened ? `/org/a11y/atspi/accessible${path}` : path };
}
