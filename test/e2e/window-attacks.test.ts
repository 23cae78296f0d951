import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { ScreenDescription } from '../../src/contract/screen.ts';
import { shareHands } from './shared.ts';

const { rig, daemon, person, deviceId } = await shareHands();
const opened = await rig.open('xterm', ['-geometry', '40x10+100+100', '-T', 'account statement', '-e', 'cat']);

/** The id of a window as a caller learns it. */
async function listedWindow(wanted = 'account statement'): Promise<string> {
  const wish = { targetDeviceId: deviceId, actionType: 'DescribeScreen', parameters: {} };
  const { windows } = (await daemon.submit(wish)).body.data as ScreenDescription;
  return windows.find(({ title }) => title === wanted)?.id ?? '';
}

async function asked(windowId: string): Promise<Action> {
  const wish = { targetDeviceId: deviceId, actionType: 'TakeScreenshot', parameters: { windowId } };
  return (await daemon.submit(wish)).body;
}

function artifacts(): string[] {
  return readdirSync(join(daemon.dataDirectory, 'artifacts'));
}

test('A11: the person is told which window it is, and that one is captured', async () => {
  const action = await asked(await listedWindow());
  expect(action.status).toBe('awaiting_confirmation');
  const [prompt] = await person.prompts();
  expect(prompt?.prompt.sentence).toMatch(
    /^Take a screenshot of the window “account statement” of “XTerm”, \d+ × \d+$/,
  );
  expect(prompt?.prompt.window).toContain(`process ${opened.app.pid}`);
  expect(prompt?.scopes.map(({ scope }) => scope)).toEqual(['once']);
  await person.answer('allow');
  expect(await daemon.ended(action)).toMatchObject({ status: 'success', artifacts: [{ mediaType: 'image/png' }] });
  expect(artifacts()).toHaveLength(1);
});

test.each([
  ['moved', 'its place', (id: string) => rig.ask('xdotool', 'windowmove', id, '400', '300')],
  ['enlarged', 'its size', (id: string) => rig.ask('xdotool', 'windowsize', id, '700', '400')],
  ['renamed', 'its title', (id: string) => rig.ask('xdotool', 'set_window', '--name', 'Password reset code', id)],
])('A11: a window that is %s while the prompt waits is not captured', async (_what, change, work) => {
  const before = artifacts();
  const action = await asked(await listedWindow());
  await work(opened.window.id);
  await person.answer('allow');
  const failed = await daemon.ended(action);
  expect(failed).toMatchObject({
    status: 'failed',
    effect: 'none',
    error: { code: 'target_changed', message: expect.stringContaining(change) },
  });
  expect(failed.artifacts).toBeUndefined();
  expect(JSON.stringify(failed)).not.toContain('Password');
  expect(artifacts()).toEqual(before);
});

test('A11: of a window that is closed while the prompt waits nothing is captured', async () => {
  const { app } = await rig.open('xterm', ['-geometry', '20x5+500+400', '-T', 'soon closed', '-e', 'cat']);
  const before = artifacts();
  const action = await asked(await listedWindow('soon closed'));
  expect(action.status).toBe('awaiting_confirmation');
  await app.end();
  await person.answer('allow');
  const failed = await daemon.ended(action);
  expect(failed).toMatchObject({ status: 'failed', effect: 'none', error: { code: 'target_gone' } });
  expect(failed.artifacts).toBeUndefined();
  expect(artifacts()).toEqual(before);
});

test('A11: the id of no window fails at once, and nobody is asked', async () => {
  const action = await asked('0x0fffffff');
  expect(action).toMatchObject({ status: 'failed', error: { code: 'target_gone' } });
  expect(await person.prompts()).toEqual([]);
});
