import { expect, test } from 'vitest';
import type { ProgramResult } from '../../../agent/drivers/exec.ts';
import { fails } from './fake-programs.ts';
import { application } from './office.ts';
import { commandsOf, createMacRig, done, failed, unhurried } from './rig.ts';

const OPEN = '/usr/bin/open';
const OSASCRIPT = '/usr/bin/osascript';

test('opens by bundle id and proves it with process, window and title', async () => {
  const { driver, mac, programs } = createMacRig();
  const outcome = done(await driver.openApp({ appName: 'notes' }, unhurried));
  const pid = mac.frontmostPid;
  expect(outcome).toEqual({
    ok: true,
    details: 'Notes was opened; its window “Untitled” is in front.',
    effect: 'confirmed',
    data: {
      appName: 'Notes',
      bundleId: 'com.apple.Notes',
      pid,
      alreadyRunning: false,
      frontmost: true,
      windowTitle: 'Untitled',
    },
  });
  expect(commandsOf(programs, OPEN)).toEqual(['-b com.apple.Notes']);
});

test.each([
  ['the name the Finder shows', 'Voice Memos', 'com.apple.VoiceMemos'],
  ['the name of the file', 'VoiceMemos', 'com.apple.VoiceMemos'],
  ['the name of the file with its ending', 'VoiceMemos.app', 'com.apple.VoiceMemos'],
  ['the bundle id, in any case', 'COM.APPLE.voicememos', 'com.apple.VoiceMemos'],
  ['an app in a folder within a folder', 'Terminal', 'com.apple.Terminal'],
  ['Safari, which lives in a Cryptex', 'Safari', 'com.apple.Safari'],
  ['the Finder, which lives among the services', 'Finder', 'com.apple.finder'],
])('finds an app by %s', async (_what, appName, bundleId) => {
  const { driver, programs } = createMacRig();
  const outcome = done(await driver.openApp({ appName }, unhurried));
  expect(outcome.data.bundleId).toBe(bundleId);
  expect(commandsOf(programs, OPEN)).toEqual([`-b ${bundleId}`]);
});

test('an app installed a moment ago is found', async () => {
  const { driver, mac } = createMacRig();
  await driver.warmUp();
  const window = { title: 'New', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  mac.installed.push(application('/Applications/Brand New.app', 'org.example.new', { window }));
  expect(done(await driver.openApp({ appName: 'Brand New' }, unhurried)).data.bundleId).toBe('org.example.new');
});

test('an app outside the usual folders is not left to LaunchServices by its name: nothing is opened', async () => {
  const { driver, mac, programs } = createMacRig();
  const window = { title: 'Far away', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  mac.installed.push(application('/Users/person/Downloads/Far Away.app', 'org.example.far', { window }));
  expect(failed(await driver.openApp({ appName: 'Far Away' }, unhurried))).toMatchObject({
    code: 'app_not_found',
    sideEffect: 'none',
  });
  expect(commandsOf(programs, OPEN)).toEqual([]);
});

test('an app outside the usual folders is opened by its bundle id, which NSWorkspace knows', async () => {
  const { driver, mac, programs } = createMacRig();
  const window = { title: 'Far away', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  mac.installed.push(application('/Users/person/Downloads/Far Away.app', 'org.example.far', { window }));
  const outcome = done(await driver.openApp({ appName: 'org.example.far' }, unhurried));
  expect(commandsOf(programs, OPEN)).toEqual(['-b org.example.far']);
  expect(outcome).toMatchObject({ effect: 'confirmed', data: { appName: 'Far Away', bundleId: 'org.example.far' } });
});

test('an app that runs from outside the usual folders is found among those that run', async () => {
  const { driver, mac, programs } = createMacRig();
  const window = { title: 'Far away', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  const far = application('/Users/person/Downloads/Far Away.app', 'org.example.far', { window });
  mac.installed.push(far);
  mac.launch(far);
  expect(done(await driver.openApp({ appName: 'Far Away' }, unhurried)).data.alreadyRunning).toBe(true);
  expect(commandsOf(programs, OPEN)).toEqual(['-b org.example.far']);
});

test('an app that LaunchServices does not know by its id is opened by its place', async () => {
  const { driver, mac, programs } = createMacRig();
  const window = { title: 'Office', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  mac.installed.push(application('/Applications/Office.app', 'org.example.office', { window, isRegistered: false }));
  expect(done(await driver.openApp({ appName: 'Office' }, unhurried)).effect).toBe('confirmed');
  expect(commandsOf(programs, OPEN)).toEqual(['-b org.example.office', '-a /Applications/Office.app']);
});

test('of two versions with one id the one that was named is opened and proven', async () => {
  const { driver, mac, programs } = createMacRig();
  const window = (title: string) => ({ title, bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null });
  const old = application('/Applications/Coder.app', 'org.example.coder', { window: window('Old') });
  const beta = application('/Applications/Coder-beta.app', 'org.example.coder', { window: window('Beta') });
  mac.installed.push(old, beta);
  mac.launch(old);
  const outcome = done(await driver.openApp({ appName: 'Coder-beta' }, unhurried));
  expect(commandsOf(programs, OPEN)).toEqual(['-a /Applications/Coder-beta.app']);
  expect(outcome.data).toMatchObject({ windowTitle: 'Beta', alreadyRunning: false });
});

test('waits for a window that takes its time, and no longer', async () => {
  const { driver, mac } = createMacRig();
  const window = { title: 'Late', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  mac.installed.push(
    application('/Applications/Late.app', 'org.example.late', { window, launch: { windowAfterMs: 3_000 } }),
  );
  const startedAt = mac.clock.now();
  expect(done(await driver.openApp({ appName: 'Late' }, unhurried)).effect).toBe('confirmed');
  expect(mac.clock.now() - startedAt).toBeLessThan(3_500);
});

test('an app that never shows a window is opened, but not proven', async () => {
  const { driver, mac } = createMacRig();
  const startedAt = mac.clock.now();
  const outcome = done(await driver.openApp({ appName: 'Silent' }, unhurried));
  expect(outcome).toMatchObject({ effect: 'unverified', data: { appName: 'Silent', frontmost: true } });
  expect(outcome.details).toContain('no window of it appeared within 10 seconds');
  expect(mac.clock.now() - startedAt).toBeGreaterThanOrEqual(10_000);
});

test('an app of the menu bar needs no window', async () => {
  const { driver, mac } = createMacRig();
  const startedAt = mac.clock.now();
  const outcome = done(await driver.openApp({ appName: 'Menu Extra' }, unhurried));
  expect(outcome).toMatchObject({
    effect: 'confirmed',
    details: 'Menu Extra was opened; it is an app without windows.',
  });
  expect(mac.clock.now() - startedAt).toBeLessThan(1_000);
});

test('an app that does not come to the front is told to be behind', async () => {
  const { driver, mac } = createMacRig();
  const window = { title: 'Shy', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
  mac.installed.push(application('/Applications/Shy.app', 'org.example.shy', { window, launch: { frontmost: false } }));
  const outcome = done(await driver.openApp({ appName: 'Shy' }, unhurried));
  expect(outcome).toMatchObject({ effect: 'confirmed', data: { frontmost: false } });
  expect(outcome.details).toBe('Shy was opened; its window “Shy” is open, but not in front.');
});

test('an app that ends at once is no success', async () => {
  const { driver } = createMacRig();
  expect(failed(await driver.openApp({ appName: 'Brief' }, unhurried))).toMatchObject({
    code: 'target_gone',
    sideEffect: 'unknown',
  });
});

test('a name nobody knows fails with near names, as open says it in either way', async () => {
  const { driver, programs } = createMacRig();
  expect(failed(await driver.openApp({ appName: 'TextEdti' }, unhurried))).toEqual({
    ok: false,
    code: 'app_not_found',
    message: 'No app called "TextEdti" is installed.',
    fix: 'Did you mean TextEdit?',
    sideEffect: 'none',
  });
  expect(commandsOf(programs, OPEN)).toEqual([]);
  programs.intercept.set(OPEN, () => fails('open-unknown-bundle-id', { bundleId: 'com.apple.Notes' }));
  expect(failed(await driver.openApp({ appName: 'Notes' }, unhurried)).code).toBe('app_not_found');
});

test.each<[string, () => ProgramResult, object]>([
  [
    'the app is damaged',
    () => fails('open-cannot-start', { path: '/x.app' }),
    { code: 'app_not_found', sideEffect: 'none' },
  ],
  ['no process takes the request', () => fails('open-no-process'), { code: 'internal_error', sideEffect: 'unknown' }],
  [
    'Automation is denied',
    () => fails('osascript-automation-denied'),
    { code: 'internal_error', fix: expect.stringContaining('Privacy & Security → Automation') },
  ],
  ['open does not answer', () => ({ kind: 'timed_out' }), { code: 'timeout', sideEffect: 'unknown' }],
  ['open is killed', () => ({ kind: 'crashed', signal: 'SIGKILL' }), { code: 'internal_error', sideEffect: 'unknown' }],
  [
    'open is missing',
    () => ({ kind: 'not_started', reason: 'ENOENT' }),
    { code: 'internal_error', sideEffect: 'none' },
  ],
])('when %s it says what may have happened', async (_what, answer, expected) => {
  const { driver, programs } = createMacRig();
  programs.intercept.set(OPEN, answer);
  expect(failed(await driver.openApp({ appName: 'Notes' }, unhurried))).toMatchObject(expected);
});

test('hands no switch of Electron or Node on to the app', async () => {
  process.env.ELECTRON_RUN_AS_NODE = '1';
  try {
    const { driver, programs } = createMacRig();
    await driver.openApp({ appName: 'Notes' }, unhurried);
    const environment = programs.started.find((run) => run.program === OPEN)?.environment ?? {};
    expect(Object.keys(environment).filter((name) => /^(ELECTRON|NODE)_/.test(name))).toEqual([]);
    expect(environment.PATH).toBe(process.env.PATH);
  } finally {
    delete process.env.ELECTRON_RUN_AS_NODE;
  }
});

test('where scripting is blocked no name can be looked up, and nothing is opened', async () => {
  const { driver, programs } = createMacRig();
  programs.intercept.set('/usr/bin/osascript', () => ({ kind: 'not_started', reason: 'EPERM' }));
  expect(failed(await driver.openApp({ appName: 'TextEdit' }, unhurried))).toMatchObject({
    code: 'app_not_found',
    message: expect.stringContaining('could not list the apps'),
    fix: expect.stringContaining('/usr/bin/osascript'),
    sideEffect: 'none',
  });
  expect(commandsOf(programs, OPEN)).toEqual([]);
});

test('where scripting fails after the app was opened, LaunchServices tells the front app, and nothing counts as proven', async () => {
  const { driver, mac, programs } = createMacRig();
  await driver.warmUp();
  programs.intercept.set('/usr/bin/osascript', () => ({ kind: 'not_started', reason: 'EPERM' }));
  const outcome = done(await driver.openApp({ appName: 'TextEdit' }, unhurried));
  expect(outcome).toMatchObject({
    effect: 'unverified',
    data: { appName: 'TextEdit', pid: mac.frontmostPid, alreadyRunning: false, frontmost: true },
  });
  expect(commandsOf(programs, OPEN)).toEqual(['-b com.apple.TextEdit']);
});

test('a locked screen does not keep an app from being opened, a session without a screen does', async () => {
  const { driver, mac } = createMacRig();
  mac.session = { onConsole: true, locked: true };
  expect(done(await driver.openApp({ appName: 'Notes' }, unhurried)).effect).toBe('confirmed');
  mac.session = { onConsole: false, locked: false };
  expect(failed(await driver.openApp({ appName: 'Notes' }, unhurried)).code).toBe('display_unavailable');
  mac.session = null;
  expect(failed(await driver.openApp({ appName: 'Notes' }, unhurried)).code).toBe('display_unavailable');
});

test('all looks of one OpenApp are answered by one reader', async () => {
  const { driver, mac, programs } = createMacRig();
  await driver.warmUp();
  const app = mac.installed.find(({ bundleId }) => bundleId === 'com.apple.Notes');
  if (app === undefined) throw new Error('the office has Notes');
  app.launch = { windowAfterMs: 250 };
  const before = commandsOf(programs, OSASCRIPT).length;
  expect(done(await driver.openApp({ appName: 'Notes' }, unhurried)).effect).toBe('confirmed');
  expect(programs.readers).toHaveLength(1);
  expect(programs.said.length).toBeGreaterThanOrEqual(4);
  expect(commandsOf(programs, OSASCRIPT)).toHaveLength(before);
  await driver.close();
  expect(programs.running()).toBe(0);
});

test('a look that guards a capture, asks for permissions or quits an app gets a process of its own', async () => {
  const { driver, programs } = createMacRig();
  await driver.environment();
  await driver.resolveWindow({ windowId: '1' }, unhurried);
  await driver.quitApp({ appName: 'Notes' }, unhurried);
  await driver.takeScreenshot({}, unhurried);
  await driver.describeScreen({}, unhurried);
  expect(programs.readers).toEqual([]);
});

test('where no reader can be started, an app is opened as before', async () => {
  const { driver, programs } = createMacRig({ converse: (_start, { ended }) => deadFrom(ended) });
  expect(done(await driver.openApp({ appName: 'Notes' }, unhurried)).effect).toBe('confirmed');
  const looks = commandsOf(programs, OSASCRIPT).filter((command) => command.includes('/desktop.js '));
  expect(looks.length).toBeGreaterThanOrEqual(2);
});

function deadFrom(ended: () => void) {
  setImmediate(ended);
  return { say: () => undefined, stop: () => undefined };
}

test('an app that is asked for twice at once is opened a second time only when the first opening has ended', async () => {
  const { driver, programs } = createMacRig();
  const opening = driver.openApp({ appName: 'notes' }, unhurried);
  const again = driver.openApp({ appName: 'Notes' }, unhurried);
  done(await opening);
  expect(commandsOf(programs, OPEN)).toHaveLength(1);
  done(await again);
  expect(commandsOf(programs, OPEN)).toHaveLength(2);
});
