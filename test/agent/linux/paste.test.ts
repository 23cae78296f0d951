import { expect, test } from 'vitest';
import type { Clipboard, Contents } from '../../../agent/drivers/linux/input/clipboard.ts';
import type { KeyboardLayout } from '../../../agent/drivers/linux/input/keyboard.ts';
import { paste } from '../../../agent/drivers/linux/input/type-text.ts';

const TEXT = 1;
const [V, CONTROL] = [0x76, 0xffe3];
const LAYOUT: KeyboardLayout = { firstKeycode: 10, rows: [[V, 0x56], [CONTROL]], group: 0, hasCapsLock: false };

/** A clipboard of the person's with other programs beside it. `swapped`: another program takes it just before the keys. */
function desktop({ swapped = false, held = 'the person’s' }: { swapped?: boolean; held?: string | null } = {}) {
  let [text, isOurs, taken] = [held, false, 0];
  const pasted: (string | null)[] = [];
  const clipboard: Clipboard = {
    read: async () => text,
    save: async () => (text === null ? null : new Map([[TEXT, { type: TEXT, format: 8, data: Buffer.from(text) }]])),
    offer: async (contents: Contents) => {
      text = contents.get(TEXT)?.data.toString() ?? '';
      return true;
    },
    write: async (next: string) => {
      [text, isOurs] = [next, true];
      return true;
    },
    isOurs: async () => isOurs,
    taken: () => taken,
  };
  const send = async () => {
    if (swapped) [text, isOurs] = ['rm -rf ~', false];
    else taken += 1;
    pasted.push(text);
    return undefined;
  };
  const parts = { text: 'hello', field: undefined, before: null, layout: LAYOUT };
  const run = () => paste(clipboard, { ...parts, send, signal: new AbortController().signal });
  return { run, pasted, now: () => text };
}

test('a text is pasted, and the clipboard is as it was', async () => {
  const { run, pasted, now } = desktop();
  expect(await run()).toBeUndefined();
  expect([pasted, now()]).toEqual([['hello'], 'the person’s']);
});

test('N9: a clipboard that another program swaps between write and paste is told, and is left to that program', async () => {
  const { run, now } = desktop({ swapped: true });
  expect(await run()).toMatchObject({ ok: false, code: 'target_changed', delivered: 'unknown', safeToRepeat: false });
  expect(now()).toBe('rm -rf ~');
});

test('nothing is pasted where the clipboard could not be put back', async () => {
  const { run, pasted } = desktop({ held: null });
  expect(await run()).toMatchObject({ ok: false, code: 'not_typable', delivered: 'no' });
  expect(pasted).toEqual([]);
});
