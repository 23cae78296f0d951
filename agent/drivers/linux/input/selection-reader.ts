import { setTimeout as pause } from 'node:timers/promises';
import type { Property } from 'x11';
import type { OwnXLine } from '../x-session.ts';

/** What a clipboard holds in one form: the name of its type, the bits of a unit, the bytes. */
export type Offer = { type: number; format: 8 | 16 | 32; data: Buffer };

export type SelectionReader = {
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
export function createSelectionReader(
  line: OwnXLine,
  { window, selection, property, incremental }: Place,
): SelectionReader {
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
