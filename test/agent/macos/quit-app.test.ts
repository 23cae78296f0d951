import { expect, test } from 'vitest';
import type { ProgramResult } from '../../../agent/drivers/exec.ts';
import { fails } from './fake-programs.ts';
import { application } from './office.ts';
import { commandsOf, createMacRig, done, failed, type MacRig, unhurried } from './rig.ts';

const OSASCRIPT = '/usr/bin/osascript';

function timesAsked({ programs }: MacRig): number {
  return commandsOf(programs, OSASCRIPT).filter((command) => command.includes('/quit-app.js ')).length;
}

test('asks the process by AppKit, once, and proves that it has ended', async () => {
  const rig = createMacRig();
  const { pid } = rig.textEditProcess;
  expect(done(await rig.driver.quitApp({ appName: 'textedit' }, unhurried))).toEqual({
    ok: true,
    details: 'TextEdit closed its window and has ended.',
    effect: 'confirmed',
    data: { appName: 'TextEdit', bundleId: 'com.apple.TextEdit', pid, windowsClosed: 1, stillRunning: false },
  });
  expect(rig.mac.processOf(pid)).toBeUndefined();
  expect(timesAsked(rig)).toBe(1);
});

test('waits for an app that takes its time, and asks it no second time', async () => {
  const rig = createMacRig();
  rig.textEdit.whenAskedToQuit = { endsAfterMs: 7_000 };
  const startedAt = rig.mac.clock.now();
  expect(done(await rig.driver.quitApp({ appName: 'TextEdit' }, unhurried)).effect).toBe('confirmed');
  expect(rig.mac.clock.now() - startedAt).toBeLessThan(7_500);
  expect(timesAsked(rig)).toBe(1);
});

test.each([
  ['with its title', true, 'TextEdit asks something before it closes, in a sheet on its window “notes.txt”.'],
  ['without one that macOS withholds', false, 'TextEdit asks something before it closes, in a window without a title.'],
])('names the window where the app asks, %s', async (_what, screenRecording, message) => {
  const { driver, mac, textEdit, textEditProcess } = createMacRig();
  mac.grants.screenRecording = screenRecording;
  textEdit.whenAskedToQuit = 'asks';
  const startedAt = mac.clock.now();
  expect(failed(await driver.quitApp({ appName: 'TextEdit' }, unhurried))).toEqual({
    ok: false,
    code: 'busy',
    message,
    fix: 'Answer the question the app asks.',
    sideEffect: 'none',
  });
  expect(mac.processOf(textEditProcess.pid)).toBeDefined();
  expect(mac.clock.now() - startedAt).toBeLessThan(2_000);
});

test.each([
  [450, true],
  [650, false],
])('a note that goes away by itself after %i ms is no question: %s', async (notesForMs, isNone) => {
  const { driver, textEdit } = createMacRig();
  textEdit.whenAskedToQuit = { notesForMs };
  const outcome = await driver.quitApp({ appName: 'TextEdit' }, unhurried);
  expect(isNone ? done(outcome).effect : failed(outcome).code).toBe(isNone ? 'confirmed' : 'busy');
});

test('an app without a window ends too', async () => {
  const { driver, mac } = createMacRig();
  const app = mac.installed.find((one) => one.bundleId === 'org.example.extra');
  const { pid } = mac.launch(app ?? application('', null));
  const { details, data } = done(await driver.quitApp({ appName: 'Menu Extra' }, unhurried));
  expect({ details, data }).toEqual({
    details: 'Menu Extra has ended; it showed no window.',
    data: { appName: 'Menu Extra', bundleId: 'org.example.extra', pid, windowsClosed: 0, stillRunning: false },
  });
});

test('of two versions with one id only the one that was named is asked', async () => {
  const { driver, mac } = createMacRig();
  const old = application('/Applications/Coder.app', 'org.example.coder');
  const beta = application('/Applications/Coder-beta.app', 'org.example.coder');
  mac.installed.push(old, beta);
  const [kept, asked] = [mac.launch(old), mac.launch(beta)];
  expect(done(await driver.quitApp({ appName: 'Coder-beta' }, unhurried)).data.pid).toBe(asked.pid);
  expect([mac.processOf(kept.pid), mac.processOf(asked.pid)]).toEqual([kept, undefined]);
});

test('a process that is another app by now is left alone', async () => {
  const { driver, mac, programs, textEditProcess } = createMacRig();
  const other = application('/Applications/Other.app', 'org.example.other');
  programs.intercept.set(OSASCRIPT, ({ args }) => {
    if (args.some((arg) => arg.endsWith('/quit-app.js'))) textEditProcess.app = other;
    return undefined;
  });
  expect(failed(await driver.quitApp({ appName: 'TextEdit' }, { ...unhurried, deadlineMs: 300 })).code).toBe('timeout');
  expect(mac.processOf(textEditProcess.pid)).toBe(textEditProcess);
});

test.each([
  ['/System/Library/CoreServices/Dock.app', 'com.apple.dock'],
  ['/System/Library/CoreServices/loginwindow.app', 'com.apple.loginwindow'],
  ['/System/Library/CoreServices/Finder.app', 'com.apple.finder'],
])('%s is a part of macOS and asked nothing', async (path, bundleId) => {
  const rig = createMacRig();
  const process = rig.mac.launch(application(path, bundleId));
  expect(failed(await rig.driver.quitApp({ appName: bundleId }, unhurried))).toMatchObject({
    code: 'invalid_target',
    sideEffect: 'none',
  });
  expect(rig.mac.processOf(process.pid)).toBe(process);
  expect(timesAsked(rig)).toBe(0);
});

test('an app that the request does not reach is not supported, and nothing happened', async () => {
  const { driver, mac, textEdit, textEditProcess } = createMacRig();
  textEdit.whenAskedToQuit = 'is unreachable';
  expect(failed(await driver.quitApp({ appName: 'TextEdit' }, unhurried))).toMatchObject({
    code: 'not_supported',
    sideEffect: 'none',
  });
  expect(mac.processOf(textEditProcess.pid)).toBe(textEditProcess);
});

test.each<[string, string, () => ProgramResult, object]>([
  ['the desktop cannot be read', 'desktop', () => ({ kind: 'timed_out' }), { sideEffect: 'none' }],
  ['the request may have got lost', 'quit-app', () => ({ kind: 'timed_out' }), { sideEffect: 'unknown' }],
  ['the script fails', 'quit-app', () => fails('osascript-script-error', { error: 'x' }), { sideEffect: 'unknown' }],
  [
    'Automation is denied to the request',
    'quit-app',
    () => fails('osascript-automation-denied'),
    { fix: expect.stringContaining('Privacy & Security → Automation'), sideEffect: 'unknown' },
  ],
  [
    'Automation is denied to the first look',
    'desktop',
    () => fails('osascript-automation-denied'),
    { fix: expect.stringContaining('error −1743'), sideEffect: 'none' },
  ],
])('when %s it says what may have happened', async (_what, script, answer, expected) => {
  const { driver, programs } = createMacRig();
  programs.intercept.set(OSASCRIPT, ({ args }) => (args[2]?.endsWith(`/${script}.js`) ? answer() : undefined));
  const failure = failed(await driver.quitApp({ appName: 'TextEdit' }, unhurried));
  expect(failure).toMatchObject({ code: 'internal_error', ...expected });
});

test('when the screen cannot be read after the request, nothing counts as proven', async () => {
  const { driver, programs } = createMacRig();
  let wasAsked = false;
  programs.intercept.set(OSASCRIPT, ({ args }) => {
    if (wasAsked) return { kind: 'timed_out' };
    wasAsked = args[2]?.endsWith('/quit-app.js') ?? false;
    return undefined;
  });
  const failure = failed(await driver.quitApp({ appName: 'TextEdit' }, unhurried));
  expect(failure).toMatchObject({ code: 'internal_error', sideEffect: 'unknown' });
});
