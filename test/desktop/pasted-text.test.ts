import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InputRig, startInput, unhurried } from './linux-input-rig.ts';
import { type Rig, type RigWindow, startRig } from './rig.ts';

/** A page takes texts that no key types only from the clipboard. */
const PAGE = 'data:text/html,<title>A field</title><input autofocus aria-label="Text">';
const PEER = join(import.meta.dirname, 'clipboard-peer.ts');

let rig: Rig;
let hands: InputRig;
let profile: string;
let browser: RigWindow;

beforeAll(async () => {
  rig = await startRig();
  hands = startInput(rig, { watchesPerson: false });
  profile = mkdtempSync(join(tmpdir(), 'handrail-pasted-'));
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  ({ window: browser } = await rig.open('chromium', [...flags, `--user-data-dir=${profile}`, PAGE]));
  await rig.until('the field has the keyboard', async () => (await field())?.focused);
}, 180_000);

afterAll(async () => {
  await hands?.close();
  await rig?.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
});

async function field() {
  const { elements } = await hands.describe();
  return elements.find(({ role, name, windowId }) => role === 'textbox' && name === 'Text' && windowId === browser.id);
}

/** What another program finds in the clipboard. */
async function found(): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [PEER, 'read'], {
    env: { ...process.env, ...rig.env },
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

test('a picture in the clipboard is there again after a text was pasted, and after a second one', async () => {
  const owner = spawn(process.execPath, [PEER, 'own'], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(owner.stdout, 'data'))).toContain('owns');
  const before = await found();
  expect(before).toMatchObject({ forms: '3', 'image/png': expect.any(String) });
  for (const [text, value] of [
    ['日本語', '日本語'],
    ['中文', '日本語中文'],
  ] as const) {
    expect(await hands.input.typeText({ text }, unhurried())).toMatchObject({ ok: true, effect: 'confirmed' });
    expect((await field())?.value).toBe(value);
    expect(await found()).toEqual(before);
  }
  owner.kill('SIGKILL');
}, 180_000);

test('a clipboard that its owner does not give is left alone, and nothing is pasted', async () => {
  const owner = spawn(process.execPath, [PEER, 'own'], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(owner.stdout, 'data'))).toContain('owns');
  const before = await found();
  const value = (await field())?.value;
  owner.kill('SIGSTOP');
  const refused = { ok: false, code: 'not_typable', delivered: 'no', sideEffect: 'none' };
  expect(await hands.input.typeText({ text: '日本語' }, unhurried())).toMatchObject(refused);
  expect((await field())?.value).toBe(value);
  owner.kill('SIGCONT');
  expect(await found()).toEqual(before);
  owner.kill('SIGKILL');
}, 180_000);
