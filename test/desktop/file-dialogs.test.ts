import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SightReference } from '../../agent/drivers/input.ts';
import { controlSeen } from '../../agent/targets/control.ts';
import type { Control, ScreenElement } from '../../src/contract/screen.ts';
import { startInput, unhurried } from './linux-input-rig.ts';
import type { RigApp } from './rig.ts';
import { shareRig } from './share-rig.ts';

const rig = await shareRig();
const hands = startInput(rig, { watchesPerson: false });
afterAll(hands.close);
const home = realpathSync(rig.env.HOME ?? '');
const reports = join(home, 'Reports');
const apps: RigApp[] = [];

beforeAll(() => {
  mkdirSync(join(home, '.ssh'));
  mkdirSync(join(reports, 'Drafts'), { recursive: true });
  for (const path of ['Reports/letter.txt', 'Reports/two  words.txt', '.ssh/id_ed25519'])
    writeFileSync(join(home, path), 'x');
  symlinkSync(join(home, '.ssh/id_ed25519'), join(reports, 'two words.txt'));
});

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.end()));
});

async function opened(program: string, args: readonly string[]): Promise<void> {
  apps.push((await rig.open(program, args)).app);
}

async function seen(reference: SightReference): Promise<Control> {
  const found = await hands.input.sight(reference, unhurried());
  if (!found.ok) throw new Error(found.message);
  return controlSeen(found.data, { path: home });
}

function element(name: string): Promise<ScreenElement> {
  return rig.until(`${name} is described`, async () =>
    (await hands.describe()).elements.find((each) => each.name === name && each.bounds !== null),
  );
}

/** The dialog at an element, by its id and by the middle of its place. */
async function dialogAt(name: string) {
  const { id, bounds } = await element(name);
  if (bounds === null) throw new Error(`${name} has no place`);
  const point = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  const [byId, byPoint] = [await seen({ kind: 'element', elementId: id }), await seen({ kind: 'point', point })];
  expect(byPoint.dialog).toEqual(byId.dialog);
  return byId.dialog;
}

async function closed(name: string): Promise<void> {
  await rig.ask('xdotool', 'key', 'Escape');
  await rig.until(`${name} is gone`, async () => (await hands.describe()).elements.every((each) => each.name !== name));
}

async function pressed(name: string, button: number): Promise<void> {
  const { bounds } = await element(name);
  const at = [(bounds?.x ?? 0) + 15, (bounds?.y ?? 0) + 10].map(String);
  await rig.ask('xdotool', 'mousemove', ...at, 'click', String(button));
}

const atFocus = async () => (await seen({ kind: 'focus' })).dialog;

/** The dialog at the focus once it tells this path. */
const focusTakes = (path: string) =>
  rig.until(`the keyboard takes ${path}`, async () => {
    const dialog = await atFocus();
    return dialog?.path === path ? dialog : undefined;
  });

test('N30: a dialog that opens tells the selected file to its button and to the keyboard, and each row its own', async () => {
  await opened('zenity', ['--file-selection', `--filename=${reports}/letter.txt`]);
  const letter = join(reports, 'letter.txt');
  expect(await focusTakes(letter)).toMatchObject({ kind: 'open', part: 'chosen', file: { realPath: letter } });
  expect(await dialogAt('OK')).toMatchObject({ kind: 'open', part: 'other', path: letter, file: { kind: 'file' } });
  expect(await dialogAt('letter.txt')).toMatchObject({ part: 'chosen', path: letter });
  expect(await dialogAt('Drafts')).toMatchObject({ part: 'row', file: { kind: 'folder' } });
  expect(await dialogAt('Reports')).toMatchObject({ part: 'aside' });
});

test('spaces in a name lead to the file that has them, and a link to its target', async () => {
  await opened('zenity', ['--file-selection', `--filename=${reports}/two words.txt`]);
  const secret = { realPath: join(home, '.ssh/id_ed25519'), secret: expect.any(String) };
  expect(await focusTakes(join(reports, 'two words.txt'))).toMatchObject({ file: secret });
  const rows = (await hands.describe()).elements.filter(({ name }) => name === 'two words.txt');
  const paths = await Promise.all(
    rows.map(async ({ id }) => (await seen({ kind: 'element', elementId: id })).dialog?.path),
  );
  expect(new Set(paths)).toEqual(new Set([join(reports, 'two words.txt'), join(reports, 'two  words.txt')]));
});

test('a dialog that saves tells the typed name in the shown folder', async () => {
  await opened('zenity', ['--file-selection', '--save', `--filename=${reports}/new.txt`]);
  const path = join(reports, 'new.txt');
  expect(await focusTakes(path)).toMatchObject({ kind: 'save', part: 'aside', file: { kind: 'missing' } });
  expect(await dialogAt('OK')).toMatchObject({ kind: 'save', part: 'other', path });
  expect(await dialogAt('letter.txt')).toMatchObject({ kind: 'save', part: 'row', path: join(reports, 'letter.txt') });
  await rig.ask('xdotool', 'key', 'ctrl+a');
  await rig.ask('xdotool', 'type', '~/.ssh/authorized_keys');
  expect(await focusTakes('~/.ssh/authorized_keys')).toMatchObject({
    file: { realPath: join(home, '.ssh/authorized_keys'), secret: expect.any(String) },
  });
});

test('a whole path that is typed is told, and a part of one is not', async () => {
  await opened('zenity', ['--file-selection', `--filename=${reports}/`]);
  await element('OK');
  await rig.ask('xdotool', 'key', 'ctrl+l');
  await rig.ask('xdotool', 'type', `${home}/.ssh/id_ed25519`);
  expect(await focusTakes(join(home, '.ssh/id_ed25519'))).toMatchObject({ kind: 'open', part: 'aside' });
  await rig.ask('xdotool', 'key', 'ctrl+a');
  await rig.ask('xdotool', 'type', '../.ssh/id_ed25519');
  await rig.until('the path is unknown', async () => (await atFocus())?.path === undefined);
  expect(await atFocus()).toEqual({ kind: 'open', part: 'aside' });
});

test('of several selected files none is told', async () => {
  await opened('zenity', ['--file-selection', '--multiple', `--filename=${reports}/letter.txt`]);
  await focusTakes(join(reports, 'letter.txt'));
  await rig.ask('xdotool', 'key', 'ctrl+a');
  await rig.until('the path is unknown', async () => (await atFocus())?.path === undefined);
  expect(await dialogAt('OK')).toEqual({ kind: 'open', part: 'other' });
});

test('the recent files have other folders, so their path is not told', async () => {
  await opened('zenity', ['--file-selection']);
  await element('OK');
  expect(await dialogAt('OK')).toEqual({ kind: 'open', part: 'other' });
});

test('the dialog with which Mousepad saves is known, and its text is beside it', async () => {
  await opened('mousepad', []);
  await element('File');
  await rig.ask('xdotool', 'key', 'ctrl+shift+s');
  await rig.until('the dialog has the keyboard', async () => (await atFocus())?.kind === 'save');
  await rig.ask('xdotool', 'type', `${home}/.bashrc`);
  expect(await focusTakes(join(home, '.bashrc'))).toMatchObject({ kind: 'save', part: 'aside' });
  expect(await dialogAt('Save')).toMatchObject({ kind: 'save', part: 'other', path: join(home, '.bashrc') });
});

test('N46: what a popover of a dialog has does not take the file of the name', async () => {
  await opened('mousepad', [join(reports, 'letter.txt')]);
  await element('File');
  await rig.ask('xdotool', 'key', 'ctrl+shift+s');
  await focusTakes(join(reports, 'letter.txt'));
  await pressed('Create Folder', 1);
  expect(await dialogAt('Create')).toEqual({ kind: 'save', part: 'other' });
  expect(await atFocus()).toEqual({ kind: 'save', part: 'aside' });
  await closed('Create');
  await pressed('letter.txt', 3);
  for (const name of ['Rename', 'Add to Bookmarks', 'Move to Trash'])
    expect(await dialogAt(name)).toEqual({ kind: 'save', part: 'other' });
  expect(await atFocus()).toEqual({ kind: 'save', part: 'other' });
  await pressed('Rename', 1);
  await rig.until('the field has the keyboard', async () => (await atFocus())?.part === 'aside');
  expect(await atFocus()).toEqual({ kind: 'save', part: 'aside' });
  await closed('Rename');
  await pressed('Desktop', 3);
  expect(await dialogAt('Rename…')).toEqual({ kind: 'save', part: 'other' });
});

test('N46: with its buttons in the bar of the title a dialog that saves is known as one', async () => {
  const settings = join(home, '.config/gtk-3.0/settings.ini');
  mkdirSync(join(home, '.config/gtk-3.0'), { recursive: true });
  writeFileSync(settings, '[Settings]\ngtk-dialogs-use-header=1\n');
  await opened('mousepad', [join(reports, 'letter.txt')]);
  await element('File');
  await rig.ask('xdotool', 'key', 'ctrl+shift+s');
  await rig.until('the dialog has the keyboard', async () => (await atFocus())?.kind === 'save');
  rmSync(settings);
  await rig.ask('xdotool', 'key', 'ctrl+a');
  await rig.ask('xdotool', 'type', `${home}/.bashrc`);
  expect(await focusTakes(join(home, '.bashrc'))).toMatchObject({ kind: 'save', part: 'aside' });
  expect(await dialogAt('Save')).toMatchObject({ kind: 'save', part: 'other', path: join(home, '.bashrc') });
});

test('N32: the dialog in which Chromium chooses a file tells nothing, and is known as one', async () => {
  const page = join(home, 'page.html');
  writeFileSync(page, '<title>Upload</title><input type="file" style="position:fixed;inset:0">');
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  await opened('chromium', [...flags, `--user-data-dir=${home}/profile`, `file://${page}`]);
  const { bounds } = await rig.until('the page is described', async () =>
    (await hands.describe()).elements.find(({ role, name }) => role === 'button' && /choose file/iu.test(name)),
  );
  if (bounds === null) throw new Error('the button has no place');
  await hands.input.click({ at: { x: bounds.x + 20, y: bounds.y + bounds.height / 2 } }, unhurried());
  const dialog = await rig.until('Chromium shows its dialog', async () =>
    (await rig.windows()).find(({ title }) => title === 'Open File'),
  );
  const { x, y, width, height } = await rig.area(dialog.id);
  const unknown = { kind: 'unknown', part: 'other' };
  await rig.until('the dialog has the keyboard', async () => (await atFocus()) !== undefined);
  expect(await atFocus()).toEqual(unknown);
  expect((await seen({ kind: 'point', point: { x: x + width - 30, y: y + height - 20 } })).dialog).toEqual(unknown);
  expect((await seen({ kind: 'point', point: { x: x + width / 2, y: y + height / 2 } })).dialog).toEqual(unknown);
});
