import { expect, test } from 'vitest';
import {
  howToGrant,
  type MacPermission,
  permissionMissing,
  responsibleApp,
} from '../../../agent/drivers/macos/permissions.ts';
import { createMacRig } from './rig.ts';

const GRANTED = { screenRecording: true, accessibility: true };

test.each([
  ['all granted', GRANTED, { screenRecording: 'granted', accessibility: 'granted', automation: 'not_required' }],
  [
    'all denied',
    { screenRecording: false, accessibility: false },
    { screenRecording: 'denied', accessibility: 'denied', automation: 'not_required' },
  ],
  [
    'only accessibility granted',
    { ...GRANTED, screenRecording: false },
    { screenRecording: 'denied', accessibility: 'granted' },
  ],
  [
    'only screen recording granted',
    { ...GRANTED, accessibility: false },
    { screenRecording: 'granted', accessibility: 'denied' },
  ],
  ['a stale grant counts as denied', { ...GRANTED, screenRecording: 'stale' as const }, { screenRecording: 'denied' }],
])('%s', async (_what, grants, expected) => {
  const { driver, mac } = createMacRig();
  mac.grants = grants;
  expect((await driver.environment()).permissions).toMatchObject(expected);
});

test('what cannot be asked is unknown', async () => {
  const { driver, programs } = createMacRig();
  programs.intercept.set('/usr/bin/osascript', () => ({ kind: 'not_started', reason: 'EPERM' }));
  expect(await driver.environment()).toEqual({
    displays: [],
    permissions: { screenRecording: 'unknown', accessibility: 'unknown', automation: 'not_required' },
  });
});

test.each<[string, number, string]>([
  ['titles of two other apps prove the grant', 2, 'granted'],
  ['one title proves nothing, as every app may see some windows', 1, 'unknown'],
])('where macOS does not say, %s', async (_what, owners, expected) => {
  const { driver, programs } = createMacRig();
  const window = { app: 'x', bounds: { x: 0, y: 0, width: 9, height: 9 }, layer: 0, alpha: 1, title: 'title' };
  const answer = {
    windows: Array.from({ length: 2 }, (_, index) => ({ ...window, id: String(index), pid: 50 + (index % owners) })),
    permissions: { screenRecording: null, accessibility: null },
    errors: {},
  };
  programs.intercept.set('/usr/bin/osascript', () => ({
    kind: 'exited',
    exitCode: 0,
    stdout: JSON.stringify(answer),
    stderr: '',
  }));
  expect((await driver.environment()).permissions.screenRecording).toBe(expected);
});

test('the windows of Handrail itself are no proof', async () => {
  const { driver, mac, textEditProcess } = createMacRig();
  mac.grants.screenRecording = 'stale';
  mac.windows = mac.windows.map((window) => ({ ...window, pid: process.pid }));
  textEditProcess.pid = process.pid;
  expect((await driver.environment()).permissions.screenRecording).toBe('granted');
});

test.each<[MacPermission, string, string]>([
  ['screenRecording', 'Privacy_ScreenCapture', 'ScreenCapture'],
  ['accessibility', 'Privacy_Accessibility', 'Accessibility'],
])('for %s it names the pane, the app and what to reset', (permission, pane, service) => {
  const { message, fix, ...rest } = permissionMissing(permission, { app: 'com.example.term' });
  expect(rest).toEqual({ ok: false, code: 'permission_missing', sideEffect: 'none' });
  expect(message).toContain(`(${permission})`);
  expect(fix).toContain(`x-apple.systempreferences:com.apple.preference.security?${pane}`);
  expect(fix).toContain('switch on com.example.term, then quit that app, open it again');
  expect(fix).toContain(`\`tccutil reset ${service} com.example.term\``);
});

test('the advice names the pane as macOS 15 calls it, and the monthly question of that version', () => {
  const advice = howToGrant('screenRecording', { app: 'com.apple.Terminal' });
  expect(advice).toContain('Screen & System Audio Recording');
  expect(advice).toContain('once a month');
  expect(howToGrant('accessibility', { app: 'com.apple.Terminal' })).not.toContain('once a month');
});

test('the advice says how to find the bundle id where nothing tells it', () => {
  const advice = howToGrant('accessibility', { app: null });
  expect(advice).toContain('the terminal that Handrail was started from');
  expect(advice).toContain('osascript -e');
});

test.each([
  ['LaunchServices', { __CFBundleIdentifier: 'com.mitchellh.ghostty', TERM_PROGRAM: 'tmux' }, 'com.mitchellh.ghostty'],
  ['the Terminal', { TERM_PROGRAM: 'Apple_Terminal' }, 'com.apple.Terminal'],
  ['iTerm', { TERM_PROGRAM: 'iTerm.app' }, 'com.googlecode.iterm2'],
  ['nobody', { TERM_PROGRAM: 'tmux' }, null],
  ['nobody', {}, null],
  ['a value that is no bundle id', { __CFBundleIdentifier: 'x; rm -rf ~' }, null],
])('the app that the permissions belong to, told by %s', (_by, environment, expected) => {
  expect(responsibleApp(environment)).toBe(expected);
});
