import { expect, test } from 'vitest';
import { type MacPermission, permissionMissing } from '../../../agent/drivers/macos/permissions.ts';
import { createMacRig } from './rig.ts';

const GRANTED = { screenRecording: true, accessibility: true, automation: 0 };

test.each([
  ['all granted', GRANTED, { screenRecording: 'granted', accessibility: 'granted', automation: 'granted' }],
  [
    'all denied',
    { screenRecording: false, accessibility: false, automation: -1743 },
    { screenRecording: 'denied', accessibility: 'denied', automation: 'denied' },
  ],
  ['automation not asked for yet', { ...GRANTED, automation: -1744 }, { automation: 'unknown' }],
  ['System Events not running', { ...GRANTED, automation: -600 }, { automation: 'unknown' }],
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
    permissions: { screenRecording: 'unknown', accessibility: 'unknown', automation: 'unknown' },
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
    permissions: { screenRecording: null, accessibility: null, automation: null },
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
  ['automation', 'Privacy_Automation', 'AppleEvents'],
])('for %s it names the pane and what to reset', (permission, pane, service) => {
  const { message, fix, ...rest } = permissionMissing(permission);
  expect(rest).toEqual({ ok: false, code: 'permission_missing', sideEffect: 'none' });
  expect(message).toContain(`(${permission})`);
  expect(fix).toContain(`x-apple.systempreferences:com.apple.preference.security?${pane}`);
  expect(fix).toContain(`tccutil reset ${service} `);
});
