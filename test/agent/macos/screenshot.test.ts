import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fails } from './fake-programs.ts';
import { commandsOf, createMacRig, done, failed, unhurried } from './rig.ts';

const SCREENCAPTURE = '/usr/sbin/screencapture';
const LEFT_DISPLAY = { id: 7, name: 'LG', bounds: { x: -800, y: -100, width: 800, height: 600 }, scale: 1 };

let temporary = '';
const before = process.env.TMPDIR;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'screenshot-test-'));
  process.env.TMPDIR = temporary;
});
afterEach(() => {
  expect(readdirSync(temporary)).toEqual([]);
  rmSync(temporary, { recursive: true });
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

/** The commands without the path of the picture, which differs. */
function captures(programs: ReturnType<typeof createMacRig>['programs']): string[] {
  return commandsOf(programs, SCREENCAPTURE).map((command) => command.replace(/ \S+\.png$/, ''));
}

/** How often macOS was asked for Screen Recording. */
function requests(programs: ReturnType<typeof createMacRig>['programs']): number {
  return commandsOf(programs, '/usr/bin/osascript').filter((command) => command.includes('/request-capture.js '))
    .length;
}

test('captures the main display in physical pixels and tells scale and layout', async () => {
  const { driver, mac, programs } = createMacRig();
  mac.displays.push(LEFT_DISPLAY);
  const outcome = done(await driver.takeScreenshot({}, unhurried));
  expect(outcome.data).toEqual({
    width: 3024,
    height: 1964,
    format: 'png',
    scale: 2,
    bounds: { x: 0, y: 0, width: 1512, height: 982 },
    displays: [
      {
        id: '1',
        name: 'Built-in Retina Display',
        primary: true,
        bounds: { x: 0, y: 0, width: 1512, height: 982 },
        scale: 2,
      },
      { id: '7', name: 'LG', primary: false, bounds: LEFT_DISPLAY.bounds, scale: 1 },
    ],
  });
  expect(captures(programs)).toEqual(['-x -t png -D1']);
});

test('captures another display by its place, as its number is not certain', async () => {
  const { driver, mac, programs } = createMacRig();
  mac.displays.push(LEFT_DISPLAY);
  const outcome = done(await driver.takeScreenshot({ display: '7' }, unhurried));
  expect(outcome.data).toMatchObject({ width: 800, height: 600, scale: 1, bounds: LEFT_DISPLAY.bounds });
  expect(captures(programs)).toEqual(['-x -t png -R-800,-100,800,600']);
});

test('captures a region in points, and makes it no wider than asked', async () => {
  const { driver, programs } = createMacRig();
  const region = { x: 100, y: 80, width: 300, height: 200 };
  const outcome = done(await driver.takeScreenshot({ region, maxWidth: 150, format: 'webp' }, unhurried));
  expect(outcome.data).toMatchObject({ width: 150, height: 100, format: 'webp', scale: 0.5, bounds: region });
  expect(captures(programs)).toEqual(['-x -t png -R100,80,300,200']);
});

test('A28: draws what the agent puts over a picture', async () => {
  const { driver } = createMacRig();
  const scales: number[] = [];
  const overlay = (_bounds: object, scale: number) => {
    scales.push(scale);
    return [{ x: 0, y: 0, width: 20, height: 20, colour: '#123456' }];
  };
  const outcome = done(await driver.takeScreenshot({}, unhurried, overlay));
  const pixels = await sharp(outcome.images?.[0]?.bytes).removeAlpha().raw().toBuffer();
  expect([pixels.subarray(0, 3).toString('hex'), scales]).toEqual(['123456', [2]]);
});

test('captures one window without its shadow', async () => {
  const { driver, mac, programs } = createMacRig();
  const window = mac.windows[1];
  if (window === undefined) throw new Error('the office has two windows');
  const outcome = done(await driver.takeScreenshot({ windowId: String(window.id), format: 'jpeg' }, unhurried));
  expect(outcome.data).toMatchObject({ width: 1800, height: 1400, scale: 2, bounds: window.bounds });
  expect(outcome.details).toBe('Captured the window “Sign in” of Google Chrome: 1800 × 1400 pixels, jpeg.');
  expect(captures(programs)).toEqual([`-x -t png -o -l${window.id}`]);
});

test.each([
  ['beside every display', { x: 5_000, y: 0, width: 10, height: 10 }],
  ['half off the screen', { x: 1_500, y: 0, width: 100, height: 10 }],
])('a region %s is refused before anything is captured', async (_where, region) => {
  const { driver, programs } = createMacRig();
  expect(failed(await driver.takeScreenshot({ region }, unhurried))).toMatchObject({
    code: 'coordinates_off_screen',
    sideEffect: 'none',
  });
  expect(captures(programs)).toEqual([]);
});

test('without the permission no picture is given, and it says which one, where, and what if it looks granted', async () => {
  const { driver, mac, programs } = createMacRig();
  mac.grants.screenRecording = false;
  const failure = failed(await driver.takeScreenshot({}, unhurried));
  expect(failure).toMatchObject({ code: 'permission_missing', sideEffect: 'none' });
  expect(failure.message).toContain('screenRecording');
  expect(failure.fix).toContain('x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture');
  expect(failure.fix).toContain('tccutil reset ScreenCapture');
  expect([requests(programs), captures(programs)]).toEqual([1, []]);
});

test('a missing permission leads to one request to macOS, which lists the app in the pane, to no second one, and to no capture', async () => {
  const { driver, mac, programs } = createMacRig();
  mac.grants.screenRecording = false;
  await driver.environment();
  await driver.describeScreen({}, unhurried);
  expect(requests(programs)).toBe(0);
  for (const parameters of [{}, { display: '1' }, {}]) await driver.takeScreenshot(parameters, unhurried);
  expect([requests(programs), captures(programs)]).toEqual([1, []]);
});

test('a grant that macOS affirms and does not honour is found out before capture', async () => {
  const { driver, mac, programs } = createMacRig();
  mac.grants.screenRecording = 'stale';
  const failure = failed(await driver.takeScreenshot({}, unhurried));
  expect(failure).toMatchObject({ code: 'permission_missing', sideEffect: 'none' });
  expect(failure.fix).toMatch(/^macOS holds a grant for an older version/);
  expect(captures(programs)).toEqual([]);
});

test('a single app without titles is put to the test: its window can be captured or not', async () => {
  const { driver, mac, programs } = createMacRig();
  mac.grants.screenRecording = 'stale';
  mac.windows = mac.windows.slice(0, 1);
  expect(failed(await driver.takeScreenshot({}, unhurried)).code).toBe('permission_missing');
  expect(captures(programs)).toEqual([`-x -t png -o -l${mac.windows[0]?.id}`]);
});

test('a single app whose windows have no titles does not cost the screenshot', async () => {
  const { driver, mac, programs } = createMacRig();
  const [window] = mac.windows;
  if (window === undefined) throw new Error('the office has windows');
  mac.windows = [{ ...window, isUntitled: true }];
  expect(done(await driver.takeScreenshot({ maxWidth: 64 }, unhurried)).data.width).toBe(64);
  expect(captures(programs)).toHaveLength(2);
});

test('a desktop without windows proves nothing against a grant', async () => {
  const { driver, mac } = createMacRig();
  mac.grants.screenRecording = 'stale';
  mac.windows = [];
  expect(done(await driver.takeScreenshot({ maxWidth: 64 }, unhurried)).data.width).toBe(64);
});

test.each([
  ['is locked', { locked: true, onConsole: true }, 'The screen is locked'],
  ['shows another person', { locked: false, onConsole: false }, 'Another person'],
])('a screen that %s is not captured', async (_what, session, reason) => {
  const { driver, mac, programs } = createMacRig();
  mac.session = session;
  const failure = failed(await driver.takeScreenshot({}, unhurried));
  expect(failure).toMatchObject({ code: 'display_unavailable', sideEffect: 'none', fix: expect.any(String) });
  expect(failure.message).toContain(reason);
  expect(captures(programs)).toEqual([]);
});

test('a display that sleeps is not captured', async () => {
  const { driver, mac } = createMacRig();
  Object.assign(mac.displays[0] ?? {}, { asleep: true });
  expect(failed(await driver.takeScreenshot({}, unhurried)).message).toContain('sleeps');
});

test('a black frame is never passed off as a screenshot', async () => {
  const { driver, mac } = createMacRig();
  const window = mac.windows[0];
  if (window === undefined) throw new Error('the office has windows');
  mac.windows = [{ ...window, bounds: { x: 0, y: 0, width: 1512, height: 982 }, color: '#000000' }];
  const failure = failed(await driver.takeScreenshot({}, unhurried));
  expect(failure).toMatchObject({ code: 'display_unavailable', sideEffect: 'none' });
  expect(failure.message).toContain('entirely black');
});

test('a window that is black on a screen that is not is what it is, and told to be black', async () => {
  const { driver, mac } = createMacRig();
  const window = mac.windows[0];
  if (window === undefined) throw new Error('the office has windows');
  window.color = '#000000';
  const outcome = done(await driver.takeScreenshot({ windowId: String(window.id) }, unhurried));
  expect(outcome.details).toContain('entirely black');
});

test('a refusal that passes is tried again in another way', async () => {
  const { driver, programs } = createMacRig();
  let refusals = 0;
  programs.intercept.set(SCREENCAPTURE, () => (refusals++ === 0 ? fails('screencapture-display-refused') : undefined));
  expect(done(await driver.takeScreenshot({ maxWidth: 64 }, unhurried)).data.width).toBe(64);
  expect(captures(programs)).toEqual(['-x -t png -D1', '-x -t png -R0,0,1512,982']);
});

test('a refusal that stays points to the permission and a stale grant', async () => {
  const { driver, programs } = createMacRig();
  programs.intercept.set(SCREENCAPTURE, ({ args }) =>
    fails(args.includes('-D1') ? 'screencapture-display-refused' : 'screencapture-region-refused'),
  );
  const failure = failed(await driver.takeScreenshot({}, unhurried));
  expect(failure).toMatchObject({ code: 'permission_missing', sideEffect: 'none' });
  expect(failure.message).toContain('could not create image from rect');
});

test('a window that closes meanwhile is gone', async () => {
  const { driver, mac, programs } = createMacRig();
  programs.intercept.set(SCREENCAPTURE, () => fails('screencapture-window-refused'));
  const windowId = String(mac.windows[0]?.id);
  expect(failed(await driver.takeScreenshot({ windowId }, unhurried)).code).toBe('target_gone');
});

test('where screencapture is missing or writes nothing, another way of capturing is tried', async () => {
  const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#888888' } })
    .png()
    .toBuffer();
  const { driver, programs } = createMacRig({ portableCapture: async () => bytes });
  programs.intercept.set(SCREENCAPTURE, () => ({ kind: 'not_started', reason: 'ENOENT' }));
  expect(done(await driver.takeScreenshot({}, unhurried)).data.width).toBe(320);
  programs.intercept.set(SCREENCAPTURE, () => ({ kind: 'exited', exitCode: 0, stdout: '', stderr: '' }));
  expect(done(await driver.takeScreenshot({}, unhurried)).data.width).toBe(320);
});

test('when no way of capturing works, it says why the first did not', async () => {
  const { driver, programs } = createMacRig({
    portableCapture: async () => {
      throw new Error('no displays');
    },
  });
  programs.intercept.set(SCREENCAPTURE, () => ({ kind: 'crashed', signal: 'SIGSEGV' }));
  expect(failed(await driver.takeScreenshot({}, unhurried))).toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining('it was ended by SIGSEGV'),
  });
});

test('equal captures asked for at once are one; another one is not', async () => {
  const { driver, programs } = createMacRig();
  const region = { x: 0, y: 0, width: 20, height: 10 };
  await Promise.all([
    driver.takeScreenshot({ region }, unhurried),
    driver.takeScreenshot({ region }, unhurried),
    driver.takeScreenshot({ region, format: 'jpeg' }, unhurried),
  ]);
  expect(captures(programs)).toHaveLength(2);
});

test('where scripting is blocked nothing is captured, as nothing says whether it would be the wallpaper only', async () => {
  const { driver, programs } = createMacRig();
  programs.intercept.set('/usr/bin/osascript', () => ({ kind: 'not_started', reason: 'EPERM' }));
  expect(failed(await driver.takeScreenshot({}, unhurried))).toMatchObject({
    code: 'internal_error',
    fix: expect.stringContaining('/usr/bin/osascript'),
    sideEffect: 'none',
  });
  expect(captures(programs)).toEqual([]);
});

test('A11: a window that changes while it is captured is not handed out', async () => {
  const { driver, mac, programs } = createMacRig();
  const [window] = mac.windows;
  if (window === undefined) throw new Error('the office has windows');
  const windowId = String(window.id);
  const told = done(await driver.resolveWindow({ windowId }, unhurried)).data;
  expect(told).toMatchObject({ id: windowId, app: 'TextEdit', title: 'notes.txt', bounds: window.bounds });
  const attempt = { ...unhurried, targets: [{ kind: 'window' as const, windowId, window: told }] };
  expect(done(await driver.takeScreenshot({ windowId }, attempt)).images).toHaveLength(1);
  programs.intercept.set(SCREENCAPTURE, () => {
    window.title = 'Password reset code';
    return undefined;
  });
  const failure = failed(await driver.takeScreenshot({ windowId }, attempt));
  expect(failure).toMatchObject({ code: 'target_changed', message: expect.stringContaining('Changed: its title.') });
  expect(JSON.stringify(failure)).not.toContain('Password');
});

test('A11: a window that has closed after it was captured is not handed out', async () => {
  const { driver, mac, programs } = createMacRig();
  const windowId = String(mac.windows[0]?.id);
  const told = done(await driver.resolveWindow({ windowId }, unhurried)).data;
  programs.intercept.set(SCREENCAPTURE, () => {
    programs.intercept.set('/usr/bin/osascript', () => {
      mac.windows = mac.windows.filter(({ id }) => String(id) !== windowId);
      return undefined;
    });
    return undefined;
  });
  const failure = failed(
    await driver.takeScreenshot(
      { windowId },
      { ...unhurried, targets: [{ kind: 'window' as const, windowId, window: told }] },
    ),
  );
  expect(failure).toMatchObject({ code: 'target_gone', sideEffect: 'none' });
});

test('without a display no window is looked up', async () => {
  const { driver, mac } = createMacRig();
  mac.displays = [];
  expect(failed(await driver.resolveWindow({ windowId: '100' }, unhurried)).code).toBe('display_unavailable');
});
