import { realpathSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FileDialog } from '../../src/contract/file-dialog.ts';
import type { FolderAccess, ResolvedPath } from '../../src/contract/files.ts';
import type { Control } from '../../src/contract/screen.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { CLICK, control, doneBy, submitOn, withAccess } from './hands.ts';
import { answerLook } from './looks.ts';
import type { Rig } from './rig.ts';

const FOLDER = '/home/ann/Reports';
const BUTTON: Partial<Control> = { role: 'button', name: 'OK' };
const FIELD: Partial<Control> = { role: 'textbox', name: 'Name', isEditable: true, defaultButton: 'OK' };
const ROW: Partial<Control> = { role: 'cell', name: 'a row' };

const press = (keys: string) => ({ actionType: 'PressKeys', parameters: { keys } });
const typed = (text: string, more = {}) => ({ actionType: 'TypeText', parameters: { text, ...more } });
const click = (more: object) => ({ actionType: 'Click', parameters: { elementId: 'e1', ...more } });
const TWICE = click({ count: 2 });
const CTRL_TWICE = click({ count: 2, modifiers: ['ctrl'] });
const DRAG = { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e1' } } };

/** The place of a path as the agent follows it. */
function fileAt(path: string, more: Partial<ResolvedPath> = {}): ResolvedPath {
  const secret = secretAt(path);
  const folder = { device: '1', inode: '1' };
  return { path, realPath: path, kind: 'file', folder, names: 1, secret, ...more };
}

function dialog(kind: FileDialog['kind'], part: FileDialog['part'], file?: ResolvedPath): FileDialog {
  return { kind, part, ...(file !== undefined && { path: file.path, file }) };
}

const missing = (path: string) => fileAt(path, { kind: 'missing' });
const OTHER = fileAt('/home/ann/Other/plan.txt');
const OTHER_FOLDER = fileAt('/home/ann/Other', { kind: 'folder' });
const LETTER = fileAt(`${FOLDER}/letter.txt`);
const NEW = missing(`${FOLDER}/new.txt`);

/** The person also allowed the folder with the reports. */
async function allowing(access: FolderAccess): Promise<Rig> {
  const rig = await withAccess();
  const allowed = rig.services.console.folders.allow({ userId: 'ann', path: FOLDER, access });
  await rig.sent();
  await answerLook(rig, fileAt(FOLDER, { kind: 'folder' }));
  expect(await allowed).toHaveProperty('items');
  return rig;
}

type Body = Parameters<typeof submitOn>[1];

async function verdict(body: Body, found: Partial<Control>, access: FolderAccess = 'write') {
  const rig = await allowing(access);
  const before = doneBy(rig).length;
  const action = await submitOn(rig, body, [control(found)]);
  const prompt = rig.services.console.confirmations.list()[0]?.prompt;
  // The requester may not have read the dialog.
  expect(JSON.stringify(action)).not.toContain('/home/ann/');
  return { status: action.status, sent: doneBy(rig).length - before, action, prompt };
}

const RUNS = { status: 'running', sent: 1 };
const ASKS = { status: 'awaiting_confirmation', sent: 0 };
const BLOCKED = { status: 'blocked', sent: 0 };

describe.each<[string, Body, Partial<Control>, FileDialog['part']]>([
  ['the button that accepts', CLICK, BUTTON, 'other'],
  ['Return in the field', press('enter'), FIELD, 'aside'],
  ['Return on the selected row', press('enter'), ROW, 'chosen'],
  ['Space on the selected row', press('space'), ROW, 'chosen'],
  ['a click on the selected row, as the second one of two', CLICK, ROW, 'chosen'],
  ['two clicks on a row', TWICE, ROW, 'row'],
  ['a drag of a row', DRAG, ROW, 'row'],
])('with access, in a file dialog, %s', (_what, body, found, part) => {
  const at = (kind: FileDialog['kind'], file?: ResolvedPath) => ({ ...found, dialog: dialog(kind, part, file) });

  test('N48: asks about a file that the person allowed to be read alone, as the app may write it', async () => {
    expect(await verdict(body, at('open', LETTER), 'read')).toMatchObject(ASKS);
  });

  test('N30: opens a file in an allowed folder, and asks about another one with its path', async () => {
    expect(await verdict(body, at('open', LETTER))).toMatchObject(RUNS);
    const asked = await verdict(body, at('open', OTHER));
    expect(asked).toMatchObject({
      ...ASKS,
      prompt: { sentence: expect.stringContaining('“plan.txt” in /home/ann/Other') },
    });
    expect(JSON.stringify(asked.action)).not.toContain('plan.txt');
  });

  test('N30: opens no secret, also not from an allowed folder', async () => {
    expect(await verdict(body, at('open', fileAt('/home/ann/.ssh/id_rsa')))).toMatchObject(BLOCKED);
    const linked = fileAt(`${FOLDER}/a.txt`, { realPath: '/home/ann/.ssh/id_rsa', secret: 'keys' });
    expect(await verdict(body, at('open', linked))).toMatchObject(BLOCKED);
    expect(await verdict(body, at('open', fileAt(`${FOLDER}/a.txt`, { names: 2 })))).toMatchObject(ASKS);
    expect(await verdict(body, at('open', fileAt(`${FOLDER}/passwords.txt`)))).toMatchObject(ASKS);
  });

  test('N31: saves a new file in an allowed folder, and asks about any other', async () => {
    expect(await verdict(body, at('save', NEW))).toMatchObject(RUNS);
    expect(await verdict(body, at('save', NEW), 'read')).toMatchObject(ASKS);
    expect(await verdict(body, at('save', LETTER))).toMatchObject(ASKS);
    expect(await verdict(body, at('save', missing('/home/ann/Other/new.txt')))).toMatchObject(ASKS);
    expect(await verdict(body, at('save', missing(`${FOLDER}/run.sh`)))).toMatchObject(ASKS);
  });

  test.each(['/home/ann/.config/autostart/x.desktop', '/home/ann/.bashrc', '/home/ann/.profile'])(
    'N31: asks about a place from which programs start: %s',
    async (path) => {
      const asked = await verdict(body, at('save', missing(path)));
      const reasons = expect.arrayContaining([expect.stringMatching(/^It changes a place/u)]);
      expect(asked).toMatchObject({ ...ASKS, action: { risk: { level: 'critical', reasons } } });
      expect(asked.prompt?.sentence).toContain(path.slice(path.lastIndexOf('/') + 1));
    },
  );

  test('N32: asks where the file or the dialog is unknown', async () => {
    expect(await verdict(body, at('open'))).toMatchObject(ASKS);
    expect(await verdict(body, at('save'))).toMatchObject(ASKS);
    expect(await verdict(body, at('unknown'))).toMatchObject(ASKS);
    expect(await verdict(body, at('unknown', LETTER))).toMatchObject(ASKS);
  });
});

test.each<[string, Body, Partial<Control>, FileDialog]>([
  ['one click on a row', CLICK, ROW, dialog('open', 'row', OTHER)],
  ['two clicks on a folder, which open it', TWICE, ROW, dialog('open', 'row', OTHER_FOLDER)],
  ['the context menu of a row', click({ button: 'right' }), ROW, dialog('open', 'chosen', OTHER)],
  ['Cancel', CLICK, { ...BUTTON, name: 'Cancel' }, dialog('save', 'other', OTHER)],
  ['a click into the field', CLICK, FIELD, dialog('save', 'aside', OTHER)],
  ['a path that is typed', typed('/home/ann/.ssh/id_rsa'), FIELD, dialog('open', 'aside')],
  ['an arrow key', press('down'), ROW, dialog('open', 'chosen', OTHER)],
  ['the wheel', { actionType: 'Scroll', parameters: { elementId: 'e1', dy: 2 } }, ROW, dialog('open', 'row', OTHER)],
])('with access, in a file dialog, %s runs', async (_what, body, found, its) => {
  expect(await verdict(body, { ...found, dialog: its })).toMatchObject(RUNS);
});

test.each<[string, Body, Partial<Control>, FileDialog]>([
  ['a text that goes on after the path', typed('.ssh/id_rsa\n'), FIELD, dialog('open', 'aside', LETTER)],
  ['a space among letters in the list', typed('l '), ROW, dialog('open', 'chosen', LETTER)],
  ['a text into the button', typed('a', { elementId: 'e1' }), BUTTON, dialog('open', 'other', OTHER)],
  ['two clicks that choose one more file', CTRL_TWICE, ROW, dialog('open', 'row', LETTER)],
  ['two clicks on a folder of a dialog that may choose it', TWICE, ROW, dialog('unknown', 'row', OTHER_FOLDER)],
])('N32: with access, in a file dialog, %s asks', async (_what, body, found, its) => {
  expect(await verdict(body, { ...found, dialog: its })).toMatchObject(ASKS);
});

test("N30: a file of Handrail's own data is not opened in a dialog", async () => {
  const rig = await withAccess();
  const own = fileAt(`${realpathSync(rig.store.path)}/key`);
  const { status } = await submitOn(rig, CLICK, [control({ ...BUTTON, dialog: dialog('open', 'other', own) })]);
  expect(status).toBe('blocked');
});
