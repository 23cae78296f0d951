import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { RigApp } from '../desktop/rig.ts';
import { shareHands } from './shared.ts';

const hands = await shareHands();
const home = realpathSync(hands.rig.env.HOME ?? '');
const reports = join(home, 'Reports');
let app: RigApp;

beforeAll(async () => {
  mkdirSync(reports);
  mkdirSync(join(home, '.ssh'));
  mkdirSync(join(home, '.config/autostart'), { recursive: true });
  writeFileSync(join(home, '.ssh/id_rsa'), 'a key');
  writeFileSync(join(reports, 'plan.txt'), 'a plan');
  const body = { userId: 'ann', path: reports, access: 'write' };
  expect(await hands.person.call('/folders', { method: 'PUT', body })).toMatchObject({ status: 200 });
});

afterEach(() => app?.end());

const TITLES = { 'ctrl+o': 'Open File', 'ctrl+shift+s': 'Save As' };

/** An editor with a dialog that the requester has opened, under an access that the person gave. */
async function dialogOf(keys: keyof typeof TITLES): Promise<void> {
  ({ app } = await hands.rig.open('mousepad', ['--disable-server']));
  await hands.accessTo('Mousepad', 'input');
  await hands.rig.until('Mousepad has the keyboard', async () => (await hands.rig.activeWindow())?.pid === app.pid);
  expect(await run('TypeText', { text: 'Exec=attack' })).toMatchObject({ status: 'success' });
  expect(await run('PressKeys', { keys })).toMatchObject({ status: 'success' });
  await hands.rig.until(
    'the dialog has the keyboard',
    async () => (await hands.rig.activeWindow())?.title === TITLES[keys],
  );
}

async function run(actionType: string, parameters: object): Promise<Action> {
  const action = await hands.submit(actionType, parameters);
  return action.status === 'awaiting_confirmation' ? action : hands.ended(action);
}

/** Submits an action that must ask, and denies it. */
async function sentenceOf(actionType: string, parameters: object): Promise<string> {
  expect(await run(actionType, parameters)).toMatchObject({ status: 'awaiting_confirmation' });
  const [prompt] = await hands.person.prompts();
  await hands.person.answer('deny');
  return prompt?.prompt.sentence ?? '';
}

/** Where the app tells only a part of its controls in time, as on a busy machine, it rightly asks. Then it is submitted again. */
async function ranUnasked(actionType: string, parameters: object): Promise<void> {
  await hands.rig.until(`${actionType} runs unasked`, async () => {
    const { status, actionId, risk } = await run(actionType, parameters);
    if (status === 'success') return true;
    expect(status).toBe('awaiting_confirmation');
    console.log(`it asked: ${risk?.reasons.join(' ')}`);
    await hands.daemon.call(`/api/tee/actions/${actionId}/cancel`, { method: 'POST', userId: 'ann' });
    return undefined;
  });
}

/** Types a path, and waits until the dialog shows it. */
async function typed(path: string, more: { clear?: boolean } = {}): Promise<void> {
  // A dialog that has just come moves its parts, and the text is then refused.
  await hands.rig.until('the path is typed', async () => {
    const { status } = await run('TypeText', { text: path, ...more });
    return status === 'success';
  });
  await hands.rig.until('the path is in the dialog', async () =>
    (await hands.look({ contents: true })).elements.some(({ value, focused }) => focused && value === path),
  );
}

async function idOf(name: string): Promise<string> {
  return hands.rig.until(`${name} is described`, async () => {
    const { elements } = await hands.look();
    return elements.find((element) => element.name === name)?.id;
  });
}

test.each(['.config/autostart/x.desktop', '.bashrc'])('N31: an access to an editor saves no %s', async (place) => {
  await dialogOf('ctrl+shift+s');
  const path = join(home, place);
  await typed(path);
  const words = `which saves “${place.slice(place.lastIndexOf('/') + 1)}” in ${path.slice(0, path.lastIndexOf('/'))}`;
  expect(await sentenceOf('PressKeys', { keys: 'enter' })).toContain(words);
  expect(await sentenceOf('Click', { elementId: await idOf('Save') })).toContain(words);
  expect(existsSync(path)).toBe(false);
});

test('N31: it types into no start-up file that the person has open, and into other files', async () => {
  const grave = join(home, '.bashrc');
  const harmless = join(home, 'notes.txt');
  for (const path of [grave, harmless]) {
    writeFileSync(path, 'as it was');
    ({ app } = await hands.rig.open('mousepad', ['--disable-server', path]));
    await hands.accessTo('Mousepad', 'input');
    await hands.rig.until('Mousepad has the keyboard', async () => (await hands.rig.activeWindow())?.pid === app.pid);
    if (path === harmless) expect(await run('TypeText', { text: 'more' })).toMatchObject({ status: 'success' });
    else expect(await sentenceOf('TypeText', { text: 'attack' })).toContain('Type “attack”');
    await app.end();
  }
  rmSync(grave);
});

test('N31: it saves a new file in an allowed folder', async () => {
  await dialogOf('ctrl+shift+s');
  const path = join(reports, 'new.txt');
  await typed(path);
  await ranUnasked('Click', { elementId: await idOf('Save') });
  await hands.rig.until('the file is there', () => existsSync(path));
});

test('N46: it makes no folder in a dialog whose name is that of a file in an allowed folder', async () => {
  await dialogOf('ctrl+shift+s');
  await typed(join(reports, 'other.txt'));
  await ranUnasked('Click', { elementId: await idOf('Create Folder') });
  await typed('made');
  const words = 'which may open or save a file that Handrail cannot tell';
  expect(await sentenceOf('Click', { elementId: await idOf('Create') })).toContain(words);
  expect(await sentenceOf('PressKeys', { keys: 'enter' })).toContain(words);
});

test('N30: it opens no key, and a file of an allowed folder', async () => {
  await dialogOf('ctrl+o');
  const enter = () => run('PressKeys', { keys: 'enter' });
  expect(await run('PressKeys', { keys: 'ctrl+l' })).toMatchObject({ status: 'success' });
  await hands.rig.until('the field has the keyboard', async () =>
    (await hands.look()).elements.some(({ role, focused }) => focused && role === 'textbox'),
  );
  await typed(join(home, '.ssh/id_rsa'));
  expect(await enter()).toMatchObject({ status: 'blocked' });
  await typed(join(reports, 'plan.txt'), { clear: true });
  expect(await enter()).toMatchObject({ status: 'success' });
  await hands.rig.until('the file is open', async () =>
    (await hands.rig.windows()).some(({ title }) => title.includes('plan.txt')),
  );
});

test('N32: an access to Chromium accepts no dialog of its Choose File', async () => {
  const page = join(home, 'page.html');
  writeFileSync(page, '<title>Upload</title><input type="file" style="position:fixed;inset:0">');
  const flags = ['--no-sandbox', '--no-first-run', '--password-store=basic', `--user-data-dir=${home}/profile`];
  const opened = await hands.rig.open('chromium', [...flags, '--force-renderer-accessibility', `file://${page}`]);
  ({ app } = opened);
  await hands.accessTo('chromium', 'input', ['example.org']);
  const dialog = await hands.rig.until('Chromium shows its dialog', async () => {
    const { x, y, width, height } = await hands.rig.area(opened.window.id);
    const middle = [x + 40, y + Math.round(height * 0.6)].map(String);
    expect(width).toBeGreaterThan(100);
    await hands.rig.ask('xdotool', 'mousemove', ...middle, 'click', '1');
    return (await hands.rig.windows()).find(({ title }) => title === 'Open File');
  });
  await hands.rig.until('it has the keyboard', async () => (await hands.rig.activeWindow())?.title === 'Open File');
  const { x, y, width, height } = await hands.rig.area(dialog.id);
  const words = 'which may open or save a file that Handrail cannot tell';
  expect(await sentenceOf('PressKeys', { keys: 'enter' })).toContain(words);
  const accept = { x: x + width - 40, y: y + height - 25 };
  expect(await sentenceOf('Click', accept)).toContain(words);
});
