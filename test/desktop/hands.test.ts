import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { noteOwnAddress } from '../../agent/targets/own-pages.ts';
import type { Place } from '../../src/contract/hands.ts';
import type { Control, ScreenDescription, ScreenshotData } from '../../src/contract/screen.ts';
import type { ResolvedTargets, Target, TargetReference } from '../../src/contract/targets.ts';
import { performBy } from '../agent/perform-by.ts';
import { shareDriver } from './share-rig.ts';

/** The actions as the daemon asks for them: first the targets are looked up, then the action is performed with them. */
const { rig, driver } = await shareDriver();
const folder = mkdtempSync(join(tmpdir(), 'handrail-hands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const perform = <Data = unknown>(actionType: string, parameters: unknown, targets: readonly Target[] = []) =>
  performBy<Data>(driver, actionType, parameters, { targets });

async function resolve(...references: TargetReference[]) {
  const outcome = await perform<ResolvedTargets>('ResolveTargets', { references });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.data.targets;
}

/** The target as it is judged. Fails where the reference is lost. */
async function judged(reference: TargetReference): Promise<Target> {
  const [target] = await resolve(reference);
  if (target === undefined || target.kind === 'lost') throw new Error(`lost: ${JSON.stringify(target)}`);
  return target;
}

async function judgedControl(reference: TargetReference): Promise<Control> {
  const target = await judged(reference);
  if (!('control' in target)) throw new Error('it is no control');
  return target.control;
}

async function act(actionType: string, parameters: unknown, ...references: TargetReference[]) {
  const targets = [];
  for (const reference of references) targets.push(await judged(reference));
  return perform(actionType, parameters, targets);
}

async function screen(): Promise<ScreenDescription> {
  const outcome = await perform<ScreenDescription>('DescribeScreen', { contents: true });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.data;
}

async function element(role: string, name: string) {
  return rig.until(`the ${role} ${name} is described`, async () =>
    (await screen()).elements.find((one) => one.role === role && one.name === name),
  );
}

test('a calculator computes by clicks on elements, each judged as the button that it is', async () => {
  const { app } = await rig.open('gnome-calculator');
  for (const name of ['7', '+', '8', '=']) {
    const { id: elementId } = await element('button', name);
    const reference: TargetReference = { kind: 'element', elementId };
    expect(await judgedControl(reference)).toMatchObject({
      app: { appName: 'Calculator', bundleId: 'org.gnome.Calculator' },
      pid: app.pid,
      role: 'button',
      name,
      isPassword: false,
      isOwn: false,
    });
    expect(await act('Click', { elementId }, reference)).toMatchObject({
      ok: true,
      effect: 'confirmed',
      data: { delivered: 'yes', safeToRepeat: false },
    });
  }
  await rig.until('the result shows', async () => {
    return (await screen()).elements.some(({ value = '', name }) => `${value} ${name}`.includes('15'));
  });
  await app.end();
});

test('the app of a window is the one that its name leads to', async () => {
  const { app, window } = await rig.open('mousepad', ['--disable-server']);
  const found = await judged({ kind: 'window', windowId: window.id });
  const named = await judged({ kind: 'app', name: 'mousepad' });
  if (found.kind !== 'window' || named.kind !== 'app') throw new Error('they are no targets');
  expect(found.window.identity).toEqual(named.app);
  await app.end();
});

const PARTS = ['Grüße, “Ça va?” ', '日本語と中文 ', '👩‍👩‍👧‍👦🇪🇺 ', 'مرحبا بالعالم ', '{}|~^`"<>@# ', 'ñandú Ελληνικά '];
const MIXED = Array.from({ length: 2_000 }, (_, index) => PARTS[index % PARTS.length])
  .join('')
  .slice(0, 2_000)
  .toWellFormed()
  .replaceAll('\ufffd', '.');

test('2,000 characters of many scripts are typed into what has the keyboard, and saved byte for byte', async () => {
  const file = join(folder, 'typed.txt');
  const { window, app } = await rig.open('mousepad', ['--disable-server', file]);
  const windowId = window.id;
  expect(await act('FocusWindow', { windowId }, { kind: 'window', windowId })).toMatchObject({ ok: true });
  await rig.until('the keyboard is in a text', async () => {
    const [target] = await resolve({ kind: 'focus' });
    return target !== undefined && 'control' in target && target.control.isEditable;
  });
  expect(await act('TypeText', { text: MIXED }, { kind: 'focus' })).toMatchObject({
    ok: true,
    effect: 'confirmed',
    data: { typedCharacters: [...MIXED].length },
  });
  expect(await act('PressKeys', { keys: 'ctrl+s' }, { kind: 'focus' })).toMatchObject({ ok: true });
  const saved = await rig.until('the file is saved', () => {
    try {
      return readFileSync(file, 'utf8') || null;
    } catch {
      return null;
    }
  });
  expect(saved.replace(/\n$/, '')).toBe(MIXED);
  await app.end();
});

const FORM = `<title>A form</title><form action="/sent"><label>Name <input name="n"></label>
  <label>Code <input type="password" name="p"></label><button>Send</button></form>`;

async function site(page: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  }).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, close: () => server.close() };
}

function chromium(url: string) {
  const flags = ['--no-sandbox', '--no-first-run', `--user-data-dir=${mkdtempSync(join(folder, 'profile-'))}`];
  return rig.open('chromium', [...flags, '--force-renderer-accessibility', '--password-store=basic', url]);
}

test('a form in Chromium is filled by elements; Return is judged by its button, and its password field is refused', async () => {
  const { url, asked, close } = await site(FORM);
  const { app } = await chromium(url);
  const field = await element('textbox', 'Name');
  const name: TargetReference = { kind: 'element', elementId: field.id };
  expect(await judgedControl(name)).toMatchObject({ role: 'textbox', isEditable: true, url, defaultButton: 'Send' });
  const typed = await act('TypeText', { text: 'Ann Ünal', elementId: field.id }, name);

  expect(typed, JSON.stringify(typed)).toMatchObject({ ok: true });
  const code = await element('textbox', 'Code');
  const secret: TargetReference = { kind: 'element', elementId: code.id };
  expect(await judgedControl(secret)).toMatchObject({ isPassword: true });
  const refused = await act('TypeText', { text: 'hunter2', elementId: code.id }, secret);
  expect(refused).toMatchObject({ ok: false, code: 'invalid_target', sideEffect: 'none' });
  const send = await element('button', 'Send');
  const button: TargetReference = { kind: 'element', elementId: send.id };
  expect(await act('Click', { elementId: send.id }, button)).toMatchObject({ ok: true });
  await rig.until('the form is sent', () => asked.some((path) => path.startsWith('/sent?n=Ann')));
  await app.end();
  close();
});

test('a page at the address of the dashboard is Handrail itself, and no input reaches it', async () => {
  const { url, close } = await site('<title>Any page</title><button>Allow</button>');
  const { app } = await chromium(url);
  const { id: elementId } = await element('button', 'Allow');
  const reference: TargetReference = { kind: 'element', elementId };
  expect(await judgedControl(reference)).toMatchObject({ isOwn: false, url });
  const before = await judged(reference);
  noteOwnAddress(url.replace('http', 'ws'));
  try {
    expect(await judgedControl(reference)).toMatchObject({ isOwn: true });
    expect(await perform('Click', { elementId }, [before])).toMatchObject({ ok: false, sideEffect: 'none' });
    expect(await judgedControl({ kind: 'focus' })).toMatchObject({ isOwn: true });
  } finally {
    noteOwnAddress('');
  }
  await app.end();
  close();
});

test('a window that moved since the picture makes its points stale, and one that moved since it was judged is not clicked', async () => {
  const { app, window } = await rig.open('mousepad', ['--disable-server']);
  const windowId = window.id;
  const look = await perform<ScreenshotData>('TakeScreenshot', { maxEdge: 640 });
  if (!look.ok || look.data.frame === undefined) throw new Error('there is no picture');
  const { frame } = look.data;
  const area = await rig.area(windowId);
  const inPicture = { x: (area.x + area.width / 2) * frame.scale, y: (area.y + area.height / 2) * frame.scale };
  const place: Place = { frameId: frame.frameId, ...inPicture };
  const reference: TargetReference = { kind: 'point', frameId: frame.frameId, ...inPicture };
  const before = await judged(reference);
  await rig.ask('xdotool', 'windowmove', '--sync', windowId, String(area.x + 60), String(area.y + 40));
  expect(await perform('Click', place, [before])).toMatchObject({
    ok: false,
    code: 'target_changed',
    sideEffect: 'none',
  });
  expect(await resolve(reference)).toMatchObject([{ kind: 'lost', code: 'stale_frame' }]);
  await app.end();
});
