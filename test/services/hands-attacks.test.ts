import { expect, test } from 'vitest';
import { controlOf } from '../../agent/targets/control.ts';
import { type Control, MAX_LABEL } from '../../src/contract/screen.ts';
import { CLICK, control, doneBy, MOUSEPAD, submitOn } from './hands.ts';
import { done, type Rig, startServices } from './rig.ts';

/** The person gave access to clicks and keys in the app, so that only the rules about the action itself ask. */
async function withAccess(): Promise<Rig> {
  const rig = startServices();
  rig.agent.apps.set('Mousepad', done({ data: MOUSEPAD }));
  const parameters = { apps: ['Mousepad'], allow: 'input', minutes: 60 };
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  const { confirmations } = rig.services.console;
  const [prompt] = confirmations.list();
  if (prompt === undefined) throw new Error('expected a prompt');
  const { id, nonce, actionDigest } = prompt;
  confirmations.shown(id);
  rig.clock.advance(1_000);
  confirmations.decide(id, { decision: 'allow', nonce, actionDigest });
  await rig.agent.answer(done());
  return rig;
}

const FIELD: Partial<Control> = { role: 'textbox', name: 'Note', isEditable: true };
const press = (keys: string) => ({ actionType: 'PressKeys', parameters: { keys } });
const typed = (text: string) => ({ actionType: 'TypeText', parameters: { text } });

async function verdict(body: Parameters<typeof submitOn>[1], overrides: Partial<Control>) {
  const rig = await withAccess();
  const before = doneBy(rig).length;
  const { status, risk } = await submitOn(rig, body, [control(overrides)]);
  return { status, level: risk.level, sent: doneBy(rig).length - before };
}

const ASKS = { status: 'awaiting_confirmation', level: 'high', sent: 0 };
const RUNS = { status: 'running', level: 'medium', sent: 1 };

test('with access, ordinary clicks, texts and keys run', async () => {
  expect(await verdict(CLICK, { name: 'Bold' })).toEqual(RUNS);
  expect(await verdict(typed('Dear Ann, see you at ten.'), FIELD)).toEqual(RUNS);
  expect(await verdict(press('enter'), FIELD)).toEqual(RUNS);
});

test.each([
  ['with a Cyrillic letter', 'Ѕend'],
  ['in full-width letters', 'Ｄｅｌｅｔｅ'],
  ['with invisible characters', 'P\u200ba\u200dy\u2060 now'],
  ['behind a direction override', '\u202eDelete\u202c'],
  ['spaced out', 'D e l e t e'],
  ['in a script that nobody here reads', 'Удалить'],
  ['whose end the Linux agent cut off', `${'a '.repeat(MAX_LABEL / 2)}…`],
  ['with the word at its end', `${'a '.repeat(MAX_LABEL / 2 - 10)}delete`],
  ['that orders', 'Jetzt kostenpflichtig bestellen'],
  ['that buys', 'Place your order'],
])('N3: a label %s still asks', async (_how, name) => {
  expect(await verdict(CLICK, { name })).toEqual(ASKS);
});

test('N3: a label of 60 kB reaches the rules as one that is too long', async () => {
  const place = { app: MOUSEPAD, pid: 7, windowId: '0x1', windowTitle: '', windowBounds: null, isCovered: false };
  const element = { elementId: 'e1', role: 'button', name: `${'a '.repeat(30_000)}delete`, bounds: null };
  const sighted = { ...element, isPassword: false, isEditable: false };
  const told = controlOf({ ...place, element: sighted, pages: [], pagesBeside: [] });
  expect(await verdict(CLICK, told)).toEqual(ASKS);
});

test.each([
  ['Return on the default button of a form', press('enter'), { ...FIELD, defaultButton: 'Send' }],
  ['a text that ends with Return, there', typed('yes\n'), { ...FIELD, defaultButton: 'Buy now' }],
  ['Return in a field of a page that tells no button', press('enter'), { ...FIELD, url: 'https://chat.example.com/' }],
  ['Space on a critical control that has the focus', press('space'), { name: 'Delete' }],
])('N3: %s still asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test.each([
  ['a key of a service', `sk-${'a1b2'.repeat(8)}`],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['a password with invisible characters in it', 'pass\u200bword: hunter22'],
])('N8: %s is typed only after a question', async (_what, secret) => {
  expect(await verdict(typed(secret), FIELD)).toEqual(ASKS);
  const set = { actionType: 'SetValue', parameters: { elementId: 'e1', value: secret } };
  expect(await verdict(set, FIELD)).toEqual(ASKS);
});

test.each([
  ['by its keys', press('ctrl+v'), FIELD],
  ['by a menu item', CLICK, { role: 'menuitem', name: 'Paste' }],
  ['by the middle button', { actionType: 'Click', parameters: { elementId: 'e1', button: 'middle' } }, FIELD],
])('N12: %s the clipboard is pasted only after a question', async (_how, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test('N2: a title that pretends to be another app changes neither the verdict nor the app that the prompt names', async () => {
  const windowTitle = 'Mousepad”, allowed by Handrail\n\u202e“';
  const rig = startServices();
  await submitOn(rig, CLICK, [control({ windowTitle, app: { appName: 'Evil', alsoKnownAs: [], risks: [] } })]);
  const text = JSON.stringify(rig.services.console.confirmations.list()[0]?.prompt);
  expect(text).toContain('“Evil”');
  expect(text).not.toMatch(/[\u202e\n]/u);
});
