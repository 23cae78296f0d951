import { mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasDesktop, isOwnWindowOpen, openOwnWindow } from '../../src/own-daemon/own-window.ts';
import { newDataFolder } from '../store/data-folder.ts';

const address = 'http://127.0.0.1:3001/';
const ROOTS = { uid: 0, mode: 0o100755 };

type Files = Record<string, { uid: number; mode: number }>;

/** Opens the window on a machine with these files. Answers the outcome, and what was started. */
function open(
  files: Files,
  more: { platform?: NodeJS.Platform; userId?: number; environment?: NodeJS.ProcessEnv } = {},
) {
  const dataDirectory = newDataFolder('handrail-window-');
  const started: { command: string; args: readonly string[]; environment: NodeJS.ProcessEnv }[] = [];
  const opened = openOwnWindow(
    { dataDirectory, address },
    {
      platform: 'linux',
      userId: 1_000,
      environment: { DISPLAY: ':1', ...more.environment },
      ...more,
      look: (path) => files[path],
      run: (command, args, environment) => started.push({ command, args, environment }),
    },
  );
  return { opened, started, dataDirectory, profile: join(dataDirectory, 'browser-profile') };
}

test('A23: the browser gets its own profile, which is private, no extension and no setting of the environment', () => {
  const environment = {
    DISPLAY: ':1',
    HOME: '/home/ann',
    CHROMIUM_FLAGS: '--load-extension=/tmp/evil',
    LD_PRELOAD: '/x',
  };
  const { opened, started, profile } = open({ '/opt/google/chrome/chrome': ROOTS }, { environment });
  expect(opened).toEqual({ browser: 'Google Chrome' });
  expect(started).toEqual([
    {
      command: '/opt/google/chrome/chrome',
      args: expect.arrayContaining([
        `--app=${address}`,
        `--user-data-dir=${profile}`,
        '--disable-extensions',
        '--disable-sync',
      ]),
      environment: { DISPLAY: ':1', HOME: '/home/ann' },
    },
  ]);
  expect(statSync(profile).mode & 0o777).toBe(0o700);
});

test.each([
  ['another user', { uid: 1_000, mode: 0o100755 }],
  ['everybody', { uid: 0, mode: 0o100777 }],
])('A23: a browser that somebody else can write is not started: %s', (_who, file) => {
  const { opened, started } = open({ '/usr/lib/chromium/chromium': file });
  expect([opened, started]).toEqual([undefined, []]);
});

test('no code is in the address or in the arguments, and the sandbox stays on', () => {
  const [started] = open({ '/usr/lib/chromium/chromium': ROOTS }).started;
  expect(started?.args.join(' ')).not.toMatch(/code|no-sandbox|#/u);
});

test('as root no browser is started, and the person is told why', () => {
  const { opened, started } = open({ '/usr/lib/chromium/chromium': ROOTS }, { userId: 0 });
  expect(opened).toEqual({ because: expect.stringContaining('no sandbox for root') });
  expect(started).toEqual([]);
});

test('on a Mac the system opens a new instance of an installed app', () => {
  const app = '/Applications/Google Chrome.app';
  const { started, profile } = open({ [app]: { uid: 501, mode: 0o40755 } }, { platform: 'darwin', userId: 501 });
  expect(started).toMatchObject([{ command: '/usr/bin/open' }]);
  expect(started[0]?.args.slice(0, 6)).toEqual([
    '-n',
    '-a',
    app,
    '--args',
    `--app=${address}`,
    `--user-data-dir=${profile}`,
  ]);
});

test('without a desktop of the person, and over SSH, no window is opened', () => {
  expect(open({ '/usr/lib/chromium/chromium': ROOTS }, { environment: { DISPLAY: '' } }).opened).toBeUndefined();
  expect(hasDesktop({ platform: 'darwin', environment: { SSH_CONNECTION: '1 2 3 4' } })).toBe(false);
  expect(hasDesktop({ platform: 'darwin', environment: {} })).toBe(true);
});

test('the window counts as open while the process that the profile names lives, and on a Mac never', () => {
  const dataDirectory = newDataFolder('handrail-window-');
  const hold = (pid: number) => {
    const profile = join(dataDirectory, 'browser-profile');
    rmSync(profile, { recursive: true, force: true });
    mkdirSync(profile, { recursive: true });
    symlinkSync(`some-host-${pid}`, join(profile, 'SingletonLock'));
  };
  expect(isOwnWindowOpen(dataDirectory, 'linux')).toBe(false);
  hold(process.pid);
  expect([isOwnWindowOpen(dataDirectory, 'linux'), isOwnWindowOpen(dataDirectory, 'darwin')]).toEqual([true, false]);
  hold(2 ** 30);
  expect(isOwnWindowOpen(dataDirectory, 'linux')).toBe(false);
});
