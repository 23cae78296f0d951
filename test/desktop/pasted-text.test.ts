import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { unhurried } from './linux-input-rig.ts';
import type { RigWindow } from './rig.ts';
import { openPage, useHands } from './use-hands.ts';

/** A page takes texts that no key types only from the clipboard. */
const PAGE = 'data:text/html,<title>A field</title><input autofocus aria-label="Text">';
const PEER = join(import.meta.dirname, 'clipboard-peer.ts');

let browser: RigWindow;

const on = useHands({
  prepare: async () => {
    ({ window: browser } = await openPage(on, PAGE));
    await on.rig.until('the field has the keyboard', async () => (await field())?.focused);
  },
});

async function field() {
  const { elements } = await on.hands.describe();
  return elements.find(({ role, name, windowId }) => role === 'textbox' && name === 'Text' && windowId === browser.id);
}

/** What another program finds in the clipboard. */
async function found(): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [PEER, 'read'], {
    env: { ...process.env, ...on.rig.env },
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

test('a picture in the clipboard is there again after a text was pasted, and after a second one', async () => {
  const owner = spawn(process.execPath, [PEER, 'own'], {
    env: { ...process.env, ...on.rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(owner.stdout, 'data'))).toContain('owns');
  const before = await found();
  expect(before).toMatchObject({ forms: '3', 'image/png': expect.any(String) });
  for (const [text, value] of [
    ['日本語', '日本語'],
    ['中文', '日本語中文'],
  ] as const) {
    expect(await on.hands.input.typeText({ text }, unhurried())).toMatchObject({ ok: true, effect: 'confirmed' });
    expect((await field())?.value).toBe(value);
    expect(await found()).toEqual(before);
  }
  owner.kill('SIGKILL');
}, 180_000);

test('a clipboard that its owner does not give is left alone, and nothing is pasted', async () => {
  const owner = spawn(process.execPath, [PEER, 'own'], {
    env: { ...process.env, ...on.rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(owner.stdout, 'data'))).toContain('owns');
  const before = await found();
  const value = (await field())?.value;
  owner.kill('SIGSTOP');
  const refused = { ok: false, code: 'not_typable', delivered: 'no', sideEffect: 'none' };
  expect(await on.hands.input.typeText({ text: '日本語' }, unhurried())).toMatchObject(refused);
  expect((await field())?.value).toBe(value);
  owner.kill('SIGCONT');
  expect(await found()).toEqual(before);
  owner.kill('SIGKILL');
}, 180_000);
