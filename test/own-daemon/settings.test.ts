import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/own-daemon/settings.ts';
import { DAEMON_FOLDER } from '../../src/packaging/places.ts';

const DAEMON = join(DAEMON_FOLDER, 'headless.js');

test('on a Mac the daemon has a folder of its own below the one of the menu-bar app', () => {
  const folder = join(homedir(), 'Library/Application Support/Handrail');
  expect(readSettings({}, 'darwin').dataDirectory).toBe(join(folder, 'daemon'));
});

test('a data directory that is named is used as it is', () => {
  expect(readSettings({ HANDRAIL_DATA_DIR: '/data' }, 'darwin').dataDirectory).toBe('/data');
});

test('on Linux the data directory follows XDG_DATA_HOME, and is below the home folder without it', () => {
  expect(readSettings({ XDG_DATA_HOME: '/data' }, 'linux').dataDirectory).toBe('/data/handrail');
  expect(readSettings({}, 'linux').dataDirectory).toBe(join(homedir(), '.local/share/handrail'));
});

test.each(['/proc/handrail', '/proc/handrail/data', '/dev/null/handrail'])(
  'a data directory %s, which cannot be made, ends the daemon with advice',
  { timeout: 30_000 },
  (path) => {
    const { status, signal, stderr } = spawnSync(process.execPath, [DAEMON], {
      env: { ...process.env, HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: path },
      encoding: 'utf8',
      timeout: 20_000,
    });
    const advice = 'set HANDRAIL_DATA_DIR to a folder that is yours to write, or leave it out\n';
    expect({ status, signal }).toEqual({ status: 1, signal: null });
    expect(stderr.startsWith(`handrail: ${path} cannot be made a folder (`) && stderr.endsWith(advice)).toBe(true);
  },
);

test('the person can be called by a program of their own or by an address, and by nothing else', () => {
  expect(readSettings({}, 'linux').notify).toBeUndefined();
  expect(readSettings({ HANDRAIL_NOTIFY: '/home/ann/ring me' }, 'linux').notify).toEqual({
    command: '/home/ann/ring me',
  });
  expect(readSettings({ HANDRAIL_NOTIFY: 'https://push.example/ann' }, 'linux').notify).toEqual({
    address: 'https://push.example/ann',
  });
  for (const wrong of ['ring', 'file:///etc/passwd', 'javascript:1', '../ring'])
    expect(() => readSettings({ HANDRAIL_NOTIFY: wrong }, 'linux')).toThrow('HANDRAIL_NOTIFY should be the whole path');
});
