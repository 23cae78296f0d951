import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readAccessibilitySwitch, switchAccessibilityOn } from '../../src/agent-host/accessibility-switch.ts';
import { checkAccessibility } from '../../src/doctor/desktop.ts';
import { shareDriver } from './share-rig.ts';

const { rig, driver } = await shareDriver();
const environment = { ...process.env, ...rig.env };

async function switchOff(): Promise<void> {
  const question = ['--session', '--print-reply', '--dest=org.a11y.Bus', '/org/a11y/bus'];
  const value = ['string:org.a11y.Status', 'string:IsEnabled', 'variant:boolean:false'];
  await promisify(execFile)('dbus-send', [...question, 'org.freedesktop.DBus.Properties.Set', ...value], {
    env: environment,
  });
}

const permission = async () => (await driver.environment()).permissions.accessibility;

async function reasons() {
  const outcome = await driver.describeScreen({}, { signal: new AbortController().signal, deadlineMs: 30_000 });
  return outcome.ok ? outcome.data.degradedReasons : [];
}

test('a desktop with accessibility off is told by the agent, a look and the doctor, until it is switched on', async () => {
  await rig.open('xterm', ['-T', 'alone']);
  expect(await permission()).toBe('not_required');
  expect(await reasons()).toMatchObject([{ code: 'window_without_tree' }]);
  await switchOff();
  expect(await readAccessibilitySwitch(environment)).toBe('off');
  expect(await permission()).toBe('switched_off');
  expect(await reasons()).toMatchObject([
    {
      code: 'accessibility_switched_off',
      message: expect.stringContaining('apps built on Chromium, Electron and Qt tell nothing'),
      fix: expect.stringContaining('has to be started again'),
    },
  ]);
  expect(await checkAccessibility({ platform: 'linux', environment })).toMatchObject([
    { check: 'accessibility', state: 'note', remedy: expect.stringContaining('gsettings set') },
  ]);
  await switchAccessibilityOn(environment);
  expect(await permission()).toBe('not_required');
  expect(await checkAccessibility({ platform: 'linux', environment })).toMatchObject([{ state: 'good' }]);
});

test('without a session bus nothing is known of the switch', async () => {
  const nowhere = { ...environment, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
  expect(await readAccessibilitySwitch(nowhere)).toBe('unknown');
  await expect(switchAccessibilityOn(nowhere)).rejects.toThrow();
});
