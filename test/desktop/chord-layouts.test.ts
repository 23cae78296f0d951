import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unhurried } from './linux-input-rig.ts';
import type { RigWindow } from './rig.ts';
import { useHands } from './use-hands.ts';

let window: RigWindow;

const on = useHands({
  prepare: async () => {
    ({ window } = await on.rig.open('zenity', ['--entry', '--title=Layouts']));
    await on.rig.ask('xdotool', 'windowactivate', '--sync', window.id);
    await on.rig.until('the field has the keyboard', async () => (await field(window.id))?.focused);
  },
});

async function field(id: string) {
  const { elements } = await on.hands.describe();
  const named = elements.filter(({ role, windowId }) => role === 'textbox' && windowId === id);
  return named.find(({ name }) => name === 'Text') ?? named[0];
}

async function switchTo(layout: string): Promise<void> {
  await on.rig.ask('setxkbmap', '-layout', layout);
}

/** GTK takes a shortcut only where a group of the keyboard has its letter, also from the person's own hand. */
test.each(['ru,us', 'gr,us', 'il,us', 'ara,us', 'us,ru', 'de', 'fr', 'us'])(
  'under the layout %s, ctrl+a selects all of a text in GTK',
  async (layout) => {
    await switchTo('us');
    expect(await on.hands.input.typeText({ text: 'abc', clear: true }, unhurried())).toMatchObject({
      effect: 'confirmed',
    });
    await switchTo(layout);
    expect(await on.hands.input.pressKeys({ keys: 'ctrl+a' }, unhurried())).toMatchObject({ ok: true });
    expect(await on.hands.input.pressKeys({ keys: 'delete' }, unhurried())).toMatchObject({ ok: true });
    expect((await field(window.id))?.value ?? '').toBe('');
  },
);

test('under a layout without Latin letters, ctrl+a selects all of a text in Chromium', async () => {
  const page = `data:text/html,<title>Layouts</title><input autofocus aria-label="Text">`;
  const profile = mkdtempSync(join(tmpdir(), 'handrail-layouts-'));
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  const { app, window: browser } = await on.rig.open('chromium', [...flags, `--user-data-dir=${profile}`, page]);
  await on.rig.until('the field of the page has the keyboard', async () => (await field(browser.id))?.focused);
  for (const layout of ['ru', 'gr', 'il', 'ara']) {
    await switchTo('us');
    await on.hands.input.typeText({ text: 'abc' }, unhurried());
    await on.rig.until('the text is there', async () => (await field(browser.id))?.value === 'abc');
    await switchTo(layout);
    expect(await on.hands.input.pressKeys({ keys: 'ctrl+a' }, unhurried())).toMatchObject({ ok: true });
    expect(await on.hands.input.pressKeys({ keys: 'delete' }, unhurried())).toMatchObject({ ok: true });
    await on.rig.until(`the text is gone under ${layout}`, async () => ((await field(browser.id))?.value ?? '') === '');
  }
  await app.end();
  rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  await on.rig.ask('xdotool', 'windowactivate', '--sync', window.id);
}, 300_000);

test.each(['de', 'fr', 'us'])('under the layout %s, a text is typed exactly by its keys', async (layout) => {
  await switchTo(layout);
  const text = 'aAqQzZwWmM 0123456789 .,;:!?@#{}[]()<>|~^`\'"\\/-_=+*&%$';
  expect(await on.hands.input.typeText({ text, clear: true }, unhurried())).toMatchObject({ effect: 'confirmed' });
  expect((await field(window.id))?.value).toBe(text);
});
