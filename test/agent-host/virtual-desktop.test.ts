import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { desktopWords } from '../../src/agent-host/virtual-desktop/agent-desktop.ts';
import { installCommand, missingNeeds } from '../../src/agent-host/virtual-desktop/programs.ts';
import {
  needsVirtualDesktop,
  startVirtualDesktop,
  writeXAuthority,
} from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';

test('a virtual desktop is needed on Linux with neither an X11 nor a Wayland display, unless the driver is fake', () => {
  expect([
    needsVirtualDesktop('linux', {}),
    needsVirtualDesktop('linux', { DISPLAY: '' }),
    needsVirtualDesktop('linux', { DISPLAY: ':0' }),
    needsVirtualDesktop('linux', { WAYLAND_DISPLAY: 'wayland-0' }),
    needsVirtualDesktop('linux', { HANDRAIL_AGENT_DRIVER: 'fake' }),
    needsVirtualDesktop('darwin', {}),
  ]).toEqual([true, true, false, false, false, false]);
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['linux', {}, 'a private virtual one, because DISPLAY is not set'],
  ['linux', { DISPLAY: ':0' }, 'yours, on the display :0'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'none: this Wayland session has no X11 display, which Handrail needs'],
  ['darwin', {}, 'yours, on this Mac'],
  ['linux', { HANDRAIL_AGENT_DRIVER: 'fake' }, 'simulated, for tests'],
])('on %s with %j the desktop is called %s', (platform, environment, words) => {
  expect(desktopWords(platform, environment)).toBe(words);
});

test('a machine without the programs is told which are missing and the one command that installs them', async () => {
  const answer = await startVirtualDesktop({ environment: { PATH: '/nowhere' } });
  expect(answer).toMatchObject({
    state: 'unavailable',
    missing: expect.arrayContaining(['Xvfb', 'openbox', 'dbus-daemon', 'dbus-send', 'setpriv']),
    message: expect.stringContaining('Xvfb, openbox, dbus-daemon'),
    fix: expect.stringMatching(/apt-get install --yes --no-install-recommends .*dbus openbox util-linux xvfb$/),
  });
});

test('a need is met by any of its names on PATH or by a file, and not by a file that cannot be run', () => {
  const shell = { name: 'shell', package: 'dash', anyOf: ['no-such-program', 'sh'] };
  const file = { name: 'file', package: 'base-files', anyOf: ['/etc/passwd'] };
  const notRunnable = { name: 'passwd', package: 'base-files', anyOf: ['passwd'] };
  expect(missingNeeds([shell, file, notRunnable], '/etc:/usr/bin:/bin').map((need) => need.name)).toEqual([]);
  expect(missingNeeds([shell, file, notRunnable], '/etc').map((need) => need.name)).toEqual(['shell', 'passwd']);
});

test('the command that installs names each package once, and uses sudo unless it is root who is told', () => {
  const needs = ['xvfb', 'dbus', 'dbus'].map((name) => ({ name, package: name, anyOf: [] }));
  expect([installCommand(needs, { asRoot: true }), installCommand(needs, { asRoot: false })]).toEqual([
    'apt-get install --yes --no-install-recommends dbus xvfb',
    'sudo apt-get install --yes --no-install-recommends dbus xvfb',
  ]);
});

test('an Xauthority file is for its owner only and holds a fresh cookie for any display', () => {
  const folder = mkdtempSync(join(tmpdir(), 'x-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second] = ['first', 'second'].map((name) => join(folder, name)) as [string, string];
  writeXAuthority(first);
  writeXAuthority(second);
  const bytes = readFileSync(first);
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(bytes.subarray(0, -16).toString('latin1')).toBe('\xff\xff\0\0\0\0\0\x12MIT-MAGIC-COOKIE-1\0\x10');
  expect(bytes.subarray(-16)).not.toEqual(readFileSync(second).subarray(-16));
  expect(() => writeXAuthority(first)).toThrow('EEXIST');
});
