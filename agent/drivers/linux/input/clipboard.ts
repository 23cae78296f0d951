import { setTimeout as pause } from 'node:timers/promises';
import { eventMask, type Property, type SelectionRequest } from 'x11';
import type { OwnXLine } from '../x-session.ts';

/** What a clipboard holds in one form: the name of its type, the bits of a unit, the bytes. */
type Offer = { type: number; format: 8 | 16 | 32; data: Buffer };

type SelectionReader = {
  /** `refused`: the owner does not give this form. `lost`: it does not answer, or gives more bytes than wanted. */
  read(target: number, mostBytes: number): Promise<Offer | 'refused' | 'lost'>;
};

/** An owner that gives nothing for so long has stopped. */
const ANSWER_MS = 1_000;
const STEP_MS = 5;
const NEW_VALUE = 0;
const ANY_TYPE = 0;
const NO_TYPE = 0;

type Place = { window: number; selection: number; property: number; incremental: number };

/** Asks the owner of a selection for its contents, which come into a property of a window of ours. */
function createSelectionReader(line: OwnXLine, { window, selection, property, incremental }: Place): SelectionReader {
  let answer: number | undefined;
  let parts = 0;
  line.onEvent((event) => {
    if (event.name === 'SelectionNotify' && event.requestor === window && event.selection === selection) {
      // The value that it tells of was written before.
      [answer, parts] = [event.property, 0];
    }
    const isPart = event.name === 'PropertyNotify' && event.wid === window && event.atom === property;
    if (isPart && event.state === NEW_VALUE) parts += 1;
  });

  async function until(isSo: () => boolean): Promise<boolean> {
    for (let waitedMs = 0; !isSo() && waitedMs < ANSWER_MS; waitedMs += STEP_MS) await pause(STEP_MS);
    return isSo();
  }

  /** Takes the value away, which lets the owner write the next part. */
  async function take(mostBytes: number): Promise<Property | undefined> {
    const words = Math.floor(mostBytes / 4) + 1;
    const value = await line.ask<Property>((client, reply) =>
      client.GetProperty(1, window, property, ANY_TYPE, 0, words, reply),
    );
    return value === null || value.bytesAfter > 0 || value.data.length > mostBytes ? undefined : value;
  }

  async function readParts(mostBytes: number): Promise<Offer | 'lost'> {
    const taken: Property[] = [];
    for (let leftBytes = mostBytes; await until(() => parts > 0); ) {
      parts -= 1;
      const part = await take(leftBytes);
      if (part === undefined) return 'lost';
      if (part.type === NO_TYPE) continue;
      taken.push(part);
      leftBytes -= part.data.length;
      // An empty part is the last one.
      if (part.data.length === 0) return offerOf(taken[0] ?? part, Buffer.concat(taken.map(({ data }) => data)));
    }
    return 'lost';
  }

  return {
    async read(target, mostBytes) {
      answer = undefined;
      line.tell((client) => {
        client.DeleteProperty(window, property);
        client.ConvertSelection(window, selection, target, property);
      });
      if (!(await until(() => answer !== undefined))) return 'lost';
      if (answer !== property) return 'refused';
      const value = await take(mostBytes);
      if (value === undefined) return 'lost';
      return value.type === incremental ? readParts(mostBytes) : offerOf(value, value.data);
    },
  };
}

function offerOf({ type, format }: Property, data: Buffer): Offer {
  return { type, format: format === 0 ? 8 : format, data: Buffer.from(data) };
}

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

/** A request to the server has at most 256 KiB. More than that goes in parts, and each is written when the one before was taken. */
const MOST_AT_ONCE = 200_000;
/** A program that ends in the middle of a transfer leaves it behind. */
const MOST_TRANSFERS = 8;
const DELETED = 1;
const SELECTION_NOTIFY = 31;

type Transfer = { window: number; property: number; offer: Offer; sent: number };

/** Answers the programs that want the contents of a selection of ours. */
function createSelectionGiver(line: OwnXLine, incremental: number) {
  const transfers = new Map<string, Transfer>();
  line.onEvent((event) => {
    if (event.name !== 'PropertyNotify' || event.state !== DELETED) return;
    const transfer = transfers.get(nameOf(event.wid, event.atom));
    if (transfer !== undefined) writeNext(transfer);
  });

  function writeNext(transfer: Transfer): void {
    const { window, property, offer, sent } = transfer;
    const part = offer.data.subarray(sent, sent + MOST_AT_ONCE);
    line.tell((client) => client.ChangeProperty(0, window, property, offer.type, offer.format, part));
    transfer.sent += part.length;
    // An empty part is the last one.
    if (part.length === 0) transfers.delete(nameOf(window, property));
  }

  function begin(window: number, property: number, offer: Offer): void {
    const [oldest] = transfers.keys();
    if (oldest !== undefined && transfers.size >= MOST_TRANSFERS) transfers.delete(oldest);
    transfers.set(nameOf(window, property), { window, property, offer, sent: 0 });
    line.tell((client) => {
      client.ChangeWindowAttributes(window, { eventMask: eventMask.PropertyChange }, () => true);
      client.ChangeProperty(0, window, property, incremental, 32, [offer.data.length]);
    });
  }

  /** Without an offer the program is told that this form is not to be had. */
  return function give(
    { time, requestor, selection, target, property: wanted }: SelectionRequest,
    offer: Offer | undefined,
  ): void {
    const property = wanted === NONE ? target : wanted;
    if (offer !== undefined && offer.data.length > MOST_AT_ONCE) begin(requestor, property, offer);
    line.tell((client) => {
      if (offer !== undefined && offer.data.length <= MOST_AT_ONCE)
        client.ChangeProperty(0, requestor, property, offer.type, offer.format, offer.data);
      const answer = { time, requestor, selection, target, property: offer === undefined ? NONE : property };
      client.SendEvent(requestor, 0, 0, { type: SELECTION_NOTIFY, seq: 0, ...answer });
    });
  };
}

function nameOf(window: number, property: number): string {
  return `${window} ${property}`;
}

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
