import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHELL_CALL_NAMES } from '../../src/contract/shell-calls.ts';
import { BUNDLED_AGENT } from '../agent-host/bundled-agent.ts';
import { until } from '../desktop/processes.ts';
import { begin, type Story, whenReady } from './story.ts';

let story: Story;

beforeAll(async () => {
  story = await whenReady(await begin());
});
afterAll(() => story.end());

describe('the start', () => {
  test('sets the data folder before the lock, and waits for electron after it', () => {
    expect(story.app.calls.slice(0, 5)).toEqual([
      'setPath userData',
      'enableSandbox',
      'requestSingleInstanceLock',
      'setActivationPolicy accessory',
      'whenReady',
    ]);
  });

  test('keeps what belongs to electron apart from the data of the daemon, in a folder of the user alone', () => {
    const folder = story.app.paths.get('userData') ?? '';
    expect(folder).toBe(join(story.folder, 'daemon-shell'));
    expect([statSync(folder).mode & 0o777, existsSync(join(story.folder, 'daemon/handrail.db'))]).toEqual([
      0o700,
      true,
    ]);
  });

  test('opens the dashboard at the address of the daemon, with nothing secret in it', () => {
    expect(story.dashboard()?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/requests$/);
    expect(story.dashboard()?.calls).toEqual(['show']);
  });

  test('gives the windows a menu without Quit', () => {
    const text = JSON.stringify(story.applicationMenu());
    expect(text).toContain('editMenu');
    expect(text).not.toMatch(/quit/i);
  });

  test('keeps macOS from slowing the app down while it has no window', () => {
    expect([...story.userDefaults]).toEqual([['NSAppSleepDisabled', true]]);
  });

  test('goes on when the last window is closed', () => {
    story.app.lastWindowClosed();
    expect(story.app.exitCode()).toBe(undefined);
  });
});

describe('the windows', () => {
  const preferences = {
    preload: '/app/preload.cjs',
    partition: 'handrail',
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };

  test('have a sandboxed page without Node, kept in memory only', () => {
    story.tray.choose('Dashboard');
    expect(story.dashboard()?.options.webPreferences).toEqual(preferences);
    expect(story.walls.partitions).toEqual(['handrail']);
  });

  test.each(['will-navigate', 'will-redirect', 'will-frame-navigate'] as const)(
    'let no page get away by %s',
    (event) => {
      const page = story.dashboard();
      const places = [
        'https://example.com/',
        'http://localhost:1/',
        'file:///etc/passwd',
        'javascript:1',
        'not an address',
      ];
      expect(places.filter((place) => page?.fakeContents.navigates(event, place))).toEqual([]);
      expect(page?.fakeContents.navigates(event, `${new URL(page.url).origin}/#/overview`)).toBe(true);
    },
  );

  test('open no other window, attach no other page and save no file', () => {
    const contents = story.dashboard()?.fakeContents;
    expect([contents?.opensWindow(), contents?.attachesWebview(), story.walls.downloads()]).toEqual([
      false,
      false,
      false,
    ]);
  });

  const NOTHING = { isGranted: false, isChecked: false, hasDevice: false };
  const ownFrame = () => ({ requestingUrl: String(story.dashboard()?.url), isMainFrame: true });

  test.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'display-capture', 'openExternal'])(
    'get no permission for %s',
    (permission) => {
      expect(story.walls.grants(permission, ownFrame())).toEqual(NOTHING);
    },
  );

  test('may write to the clipboard, and no other page, frame or worker may', () => {
    const ask = (frame: object) => story.walls.grants('clipboard-sanitized-write', { ...ownFrame(), ...frame });
    expect(ask({})).toEqual({ isGranted: true, isChecked: true, hasDevice: false });
    for (const frame of [
      { isMainFrame: false },
      { requestingUrl: 'https://example.com/' },
      { requestingUrl: undefined },
      { requestingUrl: '' },
    ])
      expect(ask(frame)).toEqual(NOTHING);
  });

  test('that are closed end their session', async () => {
    story.tray.choose('Dashboard');
    const first = story.dashboard();
    await story.asPerson(first);
    const before = (await story.sessions()).length;
    expect(first?.closedByPerson()).toBe(true);
    story.tray.choose('Dashboard');
    expect((await story.sessions()).length).toBe(before);
    expect(story.dashboard()).not.toBe(first);
  });

  test('whose page has crashed are made anew', () => {
    const crashed = story.dashboard();
    crashed?.fakeContents.crashes();
    expect(crashed?.isDestroyed()).toBe(true);
    story.tray.choose('Dashboard');
    expect(story.dashboard()?.isVisible()).toBe(true);
  });
});

describe('the sign-in of a window', () => {
  test('is a session of its own, named after the app', async () => {
    const sessions = await story.sessions();
    expect(sessions.find(({ isCurrent }) => isCurrent)).toMatchObject({ program: 'the Handrail app' });
  });

  test('leaves no key in an address, in the log, or in what the agent was started with', async () => {
    const { authorization = '' } = await story.asPerson();
    const key = authorization.replace('Bearer ', '');
    expect(key).toMatch(/^[\w-]{43}$/);
    const { args, options } = story.utility.forked[0] ?? {};
    const told = JSON.stringify([story.windows.map(({ url }) => url), story.logged, args, options]);
    expect(told).not.toContain(key);
  });
});

describe('a call to the shell', () => {
  test('has a channel for each name of the contract, and no other', () => {
    expect(story.ipc.channels()).toEqual(SHELL_CALL_NAMES.map((name) => `handrail:${name}`));
  });

  test.each(SHELL_CALL_NAMES)('%s from a foreign frame is refused and counted, and does nothing', async (name) => {
    const window = story.dashboard();
    const sender = { id: window?.webContents.id ?? 0 };
    const url = window?.url ?? '';
    const before = [story.opened.length, story.touch.reasons.length, story.app.calls.length];
    const requests = {
      signIn: {},
      touchId: { confirmationId: `cnf_${'0'.repeat(26)}` },
      permissions: {},
      openPane: { permission: 'accessibility' },
      relaunch: {},
    };
    const frames = [
      { sender, senderFrame: null },
      { sender, senderFrame: { url, parent: {} } },
      { sender, senderFrame: { url: 'https://example.com/', parent: null } },
      { sender, senderFrame: { url: 'http://127.0.0.1:9/', parent: null } },
      { sender, senderFrame: { url: 'about:blank', parent: null } },
      { sender: { id: 999 }, senderFrame: { url, parent: null } },
    ];
    for (const frame of frames) {
      await expect(story.ipc.invoke(name, requests[name], frame)).rejects.toThrow('for the page of Handrail only');
    }
    expect([story.opened.length, story.touch.reasons.length, story.app.calls.length]).toEqual(before);
  });

  test.each(SHELL_CALL_NAMES)('%s of another shape is refused', async (name) => {
    const window = story.dashboard();
    if (window === undefined) throw new Error('There is no dashboard.');
    for (const request of [null, 'x', [], { extra: true }, { permission: 'everything' }, { confirmationId: '../..' }])
      await expect(story.ipc.fromPage(window, name, request)).rejects.toThrow('does not take');
  });
});

describe('the agent', () => {
  test('is a utility process of ours with a small environment and no arguments', () => {
    const [{ file, args, options } = { file: '', args: [], options: {} }] = story.utility.forked;
    expect([file === BUNDLED_AGENT.file, args, options.serviceName]).toEqual([true, [], 'Handrail agent']);
    expect(Object.keys(options.env ?? {}).sort()).toEqual([
      'HANDRAIL_AGENT_DRIVER',
      'HANDRAIL_FAKE_SCENARIO',
      'PATH',
      '__CFBundleIdentifier',
    ]);
  });

  test('does what is asked of it', async () => {
    const { actionId } = await story.submit({ actionType: 'DescribeScreen', parameters: {} });
    expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
    expect(story.ledger().filter((line) => line.includes('"describe"'))).toHaveLength(1);
  });
});

describe('the icon', () => {
  test('says that all is well, with a menu that answers no request', async () => {
    await until('all is quiet', () => story.tray.labels()[0] === 'Ready');
    expect(story.tray.shown).toMatchObject({ image: '/app/tray/idleTemplate.png', title: '', tip: 'Handrail: Ready' });
    expect(story.tray.labels()).toEqual([
      'Ready',
      'Pause everything',
      'Dashboard',
      'Permissions…',
      'Start at login',
      'Quit Handrail',
    ]);
  });

  test('shows the shortcut of the stop beside the item that stops', () => {
    const shown = story.tray.items().flatMap(({ label, accelerator }) => (accelerator ? [[label, accelerator]] : []));
    expect(shown).toEqual([['Pause everything', 'Control+Alt+Command+S']]);
    expect([...story.shortcuts.registered.keys()]).toEqual(['Control+Alt+Command+S']);
  });

  test('pauses and resumes everything', async () => {
    story.tray.choose('Pause');
    expect(await story.submit({ actionType: 'DescribeScreen', parameters: {} })).toMatchObject({ code: 'paused' });
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/pausedTemplate.png');
    story.tray.choose('Resume');
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/idleTemplate.png');
    const { actionId } = await story.submit({ actionType: 'DescribeScreen', parameters: {} });
    expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
  });

  test('shows the login item as the system has it: also that it waits for approval', () => {
    story.tray.choose('Start at login');
    expect(story.tray.items().find(({ label }) => label === 'Start at login')).toMatchObject({ checked: true });
    story.tray.choose('Start at login');
    expect(story.app.login.openAtLogin).toBe(false);
    story.app.login.status = 'requires-approval';
    story.tray.choose('Start at login');
    story.tray.choose('Start at login: approve it');
    expect(story.opened.at(-1)).toBe('x-apple.systempreferences:com.apple.LoginItems-Settings.extension');
    story.app.login.status = 'not-registered';
  });
});

describe('the stop shortcut', () => {
  test('stops everything from any app: nothing new is taken and what waits is ended', async () => {
    const { actionId } = await story.submit({ actionType: 'TakeScreenshot', parameters: {} });
    story.shortcuts.press('Control+Alt+Command+S');
    expect(await story.submit({ actionType: 'DescribeScreen', parameters: {} })).toMatchObject({ code: 'paused' });
    expect(await story.ended(actionId)).toMatchObject({ status: 'cancelled' });
    await until('the icon says so', () => story.tray.labels().includes('Resume'));
    story.tray.choose('Resume');
  });
});
