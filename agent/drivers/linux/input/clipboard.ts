import { eventMask } from 'x11';
import type { OwnXLine } from '../x-session.ts';
import { createSelectionGiver, MOST_AT_ONCE } from './selection-giver.ts';
import { createSelectionReader, type Offer } from './selection-reader.ts';

/** All that a clipboard holds, by the numbers of its forms. Empty where nobody owns it. */
export type Contents = ReadonlyMap<number, Offer>;

/** The clipboard of one X server. */
export type Clipboard = {
  /** The text; `null` when it holds something that is no text, or its owner does not answer. */
  read(): Promise<string | null>;
  /** False when another program took the clipboard at once. */
  write(text: string): Promise<boolean>;
  /** Everything that its owner offers; `null` where that is too much or the owner does not give it. */
  save(): Promise<Contents | null>;
  /** Offers what was saved. False when another program took the clipboard at once. */
  offer(contents: Contents): Promise<boolean>;
  /** Whether what was written or offered last is still in it. */
  isOurs(): Promise<boolean>;
  /** How often a program has taken what was written or offered last. */
  taken(): number;
};

export const MOST_CLIPBOARD_BYTES = MOST_AT_ONCE;

const MOST_TEXT_BYTES = 8_000_000;
const MOST_SAVED_BYTES = 32 * 1024 * 1024;
const MOST_FORMS = 100;
/** The target was judged before the clipboard is saved, so this may not take long. */
const SAVED_WITHIN_MS = 5_000;
const ATOM_TYPE = 4;
const NONE = 0;
const TEXTS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'TEXT', 'STRING'];
/** These ask the owner to do something, or tell of the selection itself (ICCCM 2.6.2 and 2.6.3). */
const NO_FORMS = ['TARGETS', 'MULTIPLE', 'TIMESTAMP', 'SAVE_TARGETS', 'DELETE', 'INSERT_SELECTION', 'INSERT_PROPERTY'];

export async function createClipboard(line: OwnXLine): Promise<Clipboard> {
  const window = line.newId();
  const values = { eventMask: eventMask.PropertyChange };
  line.tell((client) => client.CreateWindow(window, line.root, -10, -10, 1, 1, 0, 0, 0, 0, values));
  const atoms = await atomsOf(line, ['CLIPBOARD', 'HANDRAIL_CLIPBOARD', 'INCR', ...NO_FORMS, ...TEXTS]);
  const atom = (name: string) => atoms.get(name) ?? NONE;
  const [selection, incremental] = [atom('CLIPBOARD'), atom('INCR')];
  const reader = createSelectionReader(line, { window, selection, property: atom('HANDRAIL_CLIPBOARD'), incremental });
  const give = createSelectionGiver(line, incremental);
  let mine: Contents = new Map();
  let taken = 0;
  const owner = async () =>
    (await line.ask<number>((client, reply) => client.GetSelectionOwner(selection, reply))) ?? NONE;
  line.onEvent((event) => {
    if (event.name !== 'SelectionRequest' || event.owner !== window || event.selection !== selection) return;
    if (mine.has(event.target)) taken += 1;
    give(event, event.target === atom('TARGETS') ? listOf([event.target, ...mine.keys()]) : mine.get(event.target));
  });

  async function formsOf(): Promise<number[] | null> {
    const list = await reader.read(atom('TARGETS'), MOST_FORMS * 4);
    if (list === 'lost') return null;
    // An owner without a list has a text.
    if (list === 'refused') return [atom('UTF8_STRING'), atom('STRING')];
    const listed = Array.from({ length: Math.floor(list.data.length / 4) }, (_, at) => list.data.readUInt32LE(at * 4));
    const none = new Set([NONE, ...NO_FORMS.map(atom)]);
    return [...new Set(listed)].filter((form) => !none.has(form));
  }

  async function saveFromOwner(): Promise<Contents | null> {
    const endMs = performance.now() + SAVED_WITHIN_MS;
    const saved = new Map<number, Offer>();
    let leftBytes = MOST_SAVED_BYTES;
    for (const form of (await formsOf()) ?? []) {
      const offer = await reader.read(form, leftBytes);
      if (offer === 'lost' || performance.now() > endMs) return null;
      if (offer !== 'refused') leftBytes -= keep(saved, form, offer);
    }
    return saved.size === 0 ? null : saved;
  }

  async function offer(contents: Contents): Promise<boolean> {
    [mine, taken] = [contents, 0];
    const next = contents.size === 0 ? NONE : window;
    line.tell((client) => client.SetSelectionOwner(next, selection));
    return (await owner()) === next;
  }

  return {
    taken: () => taken,
    isOurs: async () => (await owner()) === window,
    async read() {
      const holder = await owner();
      if (holder === NONE) return '';
      const form = atom('UTF8_STRING');
      const text = holder === window ? (mine.get(form) ?? 'refused') : await reader.read(form, MOST_TEXT_BYTES);
      return typeof text === 'string' || text.format !== 8 ? null : text.data.toString('utf8');
    },
    async write(text) {
      const data = Buffer.from(text);
      return offer(new Map(TEXTS.map((name) => [atom(name), { type: atom(name), format: 8, data }])));
    },
    async save() {
      const holder = await owner();
      if (holder === NONE) return new Map();
      const saved = holder === window ? mine : await saveFromOwner();
      return (await owner()) === holder ? saved : null;
    },
    offer,
  };

  function listOf(forms: readonly number[]): Offer {
    const data = Buffer.alloc(forms.length * 4);
    for (const [index, form] of forms.entries()) data.writeUInt32LE(form, index * 4);
    return { type: ATOM_TYPE, format: 32, data };
  }
}

/** Answers how many bytes it takes: pictures have several names for one and the same form. */
function keep(saved: Map<number, Offer>, form: number, offer: Offer): number {
  const known = [...saved.values()].find(({ data }) => data.equals(offer.data));
  saved.set(form, known === undefined ? offer : { ...offer, data: known.data });
  return known === undefined ? offer.data.length : 0;
}

async function atomsOf(line: OwnXLine, names: readonly string[]): Promise<Map<string, number>> {
  const numbers = await Promise.all(
    names.map((name) => line.ask<number>((client, reply) => client.InternAtom(false, name, reply))),
  );
  return new Map(names.map((name, index) => [name, numbers[index] ?? NONE]));
}
