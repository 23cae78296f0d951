import { setTimeout as pause } from 'node:timers/promises';
import type { Property, SelectionRequest } from 'x11';
import type { OwnXLine } from '../x-session.ts';

/** The clipboard of one X server, as text. */
export type Clipboard = {
  /** `null` when it holds something that is no text, or its owner does not answer. */
  read(): Promise<string | null>;
  /** False when another program took the clipboard at once. */
  write(text: string): Promise<boolean>;
  /** Whether the text that was written last is still in it. */
  isOurs(): Promise<boolean>;
  /** How often a program has taken the text that was written last. */
  taken(): number;
  clear(): void;
};

/** A request to the server has at most 256 KiB. */
export const MOST_CLIPBOARD_BYTES = 200_000;

const ANSWER_MS = 1_000;
const STEP_MS = 5;
const ATOM_TYPE = 4;
const NONE = 0;
const MOST_WORDS = 2_000_000;
const TARGETS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'TEXT', 'STRING'];

export async function createClipboard(line: OwnXLine): Promise<Clipboard> {
  const window = line.newId();
  line.tell((client) => client.CreateWindow(window, line.root, -10, -10, 1, 1));
  const atoms = await atomsOf(line, ['CLIPBOARD', 'HANDRAIL_CLIPBOARD', 'TARGETS', 'INCR', ...TARGETS]);
  const atom = (name: string) => atoms.get(name) ?? NONE;
  const clipboard = atom('CLIPBOARD');
  let mine = Buffer.alloc(0);
  let taken = 0;
  let answered: { property: number } | undefined;
  const owner = async () =>
    (await line.ask<number>((client, reply) => client.GetSelectionOwner(clipboard, reply))) ?? 0;
  line.onEvent((event) => {
    if (event.name === 'SelectionRequest' && event.owner === window && event.selection === clipboard) give(event);
    if (event.name === 'SelectionNotify' && event.requestor === window) answered = { property: event.property };
  });

  function give({ time, requestor, selection, target, property: wanted }: SelectionRequest): void {
    const property = wanted === NONE ? target : wanted;
    const isList = target === atom('TARGETS');
    const isText = TARGETS.some((name) => target === atom(name));
    const targets = ['TARGETS', ...TARGETS].map(atom);
    if (isText) taken += 1;
    line.tell((client) => {
      if (isList) client.ChangeProperty(0, requestor, property, ATOM_TYPE, 32, targets);
      if (isText) client.ChangeProperty(0, requestor, property, target, 8, mine);
      const answer = { time, requestor, selection, target, property: isList || isText ? property : NONE };
      client.SendEvent(requestor, 0, 0, { type: 31, seq: 0, ...answer });
    });
  }

  async function readFromOwner(): Promise<string | null> {
    const property = atom('HANDRAIL_CLIPBOARD');
    answered = undefined;
    line.tell((client) => client.ConvertSelection(window, clipboard, atom('UTF8_STRING'), property));
    for (let waitedMs = 0; answered === undefined && waitedMs < ANSWER_MS; waitedMs += STEP_MS) await pause(STEP_MS);
    if ((answered as { property: number } | undefined)?.property !== property) return null;
    const value = await line.ask<Property>((client, reply) =>
      client.GetProperty(1, window, property, 0, 0, MOST_WORDS, reply),
    );
    const isWhole = value !== null && value.format === 8 && value.type !== atom('INCR');
    return isWhole ? value.data.toString('utf8') : null;
  }

  return {
    taken: () => taken,
    isOurs: async () => (await owner()) === window,
    async read() {
      const holder = await owner();
      if (holder === NONE) return '';
      return holder === window ? mine.toString('utf8') : readFromOwner();
    },
    async write(text) {
      mine = Buffer.from(text);
      taken = 0;
      line.tell((client) => client.SetSelectionOwner(window, clipboard));
      return (await owner()) === window;
    },
    clear() {
      mine = Buffer.alloc(0);
      line.tell((client) => client.SetSelectionOwner(NONE, clipboard));
    },
  };
}

async function atomsOf(line: OwnXLine, names: readonly string[]): Promise<Map<string, number>> {
  const numbers = await Promise.all(
    names.map((name) => line.ask<number>((client, reply) => client.InternAtom(false, name, reply))),
  );
  return new Map(names.map((name, index) => [name, numbers[index] ?? NONE]));
}
