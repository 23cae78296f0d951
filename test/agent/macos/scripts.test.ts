import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { FakeMac } from './fake-mac.ts';
import { runScript } from './jxa-bridge.ts';
import { createPipes } from './jxa-frameworks.ts';
import { createOffice } from './office.ts';

const SCRIPTS = fileURLToPath(new URL('../../../agent/drivers/macos/scripts/', import.meta.url));

function ask(mac: FakeMac, script: string, request: unknown): unknown {
  const run = runScript(mac, join(SCRIPTS, `${script}.js`), [JSON.stringify(request)]);
  if (!run.ok) throw new Error(run.error);
  return JSON.parse(run.result);
}

describe('each script', () => {
  const names = readdirSync(SCRIPTS);

  test.each(names)('%s is a script, not a module, that JavaScriptCore can read', (name) => {
    const source = readFileSync(join(SCRIPTS, name), 'utf8');
    expect(() => new Script(source, { filename: name })).not.toThrow();
    expect(source).not.toMatch(/^\s*(import|export)\s/m);
    // Younger than the JavaScriptCore of macOS 12.
    expect(source).not.toMatch(/\.(at|toSorted|toReversed|toSpliced|findLast|hasOwn|groupBy)\(|\/v[,;)]|#\w+\s*=/);
  });

  test.each(names)('%s takes what differs as an argument and evaluates nothing', (name) => {
    const source = readFileSync(join(SCRIPTS, name), 'utf8');
    expect(source).toContain('JSON.parse(argv[0])');
    expect(source).not.toMatch(/\beval\(|doShellScript|currentApplication/);
    // The reader evaluates other scripts of this folder, which it knows by name.
    expect(source.includes('new Function')).toBe(name === 'reader.js');
  });
});

test.each([true, false])(
  'request-capture.js asks for Screen Recording and tells whether it is given: %s',
  (granted) => {
    const { mac } = createOffice();
    mac.grants.screenRecording = granted;
    expect(ask(mac, 'request-capture', { permission: 'screenRecording' })).toEqual({ granted });
  },
);

describe('desktop.js', () => {
  test('tells displays in points from the top left of the menu-bar display, also left of and above it', () => {
    const { mac } = createOffice();
    mac.displays.push({
      id: 7,
      name: 'LG UltraFine',
      bounds: { x: -1920, y: -200, width: 1920, height: 1080 },
      scale: 1,
    });
    expect(ask(mac, 'desktop', { parts: ['displays'] })).toEqual({
      errors: {},
      displays: [
        {
          id: '1',
          number: 1,
          name: 'Built-in Retina Display',
          primary: true,
          bounds: { x: 0, y: 0, width: 1512, height: 982 },
          scale: 2,
          asleep: false,
        },
        {
          id: '7',
          number: 2,
          name: 'LG UltraFine',
          primary: false,
          bounds: { x: -1920, y: -200, width: 1920, height: 1080 },
          scale: 1,
          asleep: false,
        },
      ],
    });
  });

  test('tells the running apps and which is in front', () => {
    const { mac, textEditProcess } = createOffice();
    expect(ask(mac, 'desktop', { parts: ['apps'] })).toMatchObject({
      apps: [
        { name: 'Google Chrome', bundleId: 'com.google.Chrome', frontmost: false },
        {
          pid: textEditProcess.pid,
          name: 'TextEdit',
          bundleId: 'com.apple.TextEdit',
          path: '/System/Applications/TextEdit.app',
          policy: 'regular',
          frontmost: true,
          hidden: false,
        },
      ],
    });
  });

  test('tells whether the screen is locked and whether there is a session at all', () => {
    const { mac } = createOffice();
    mac.session = { onConsole: true, locked: true };
    expect(ask(mac, 'desktop', { parts: ['session'] })).toEqual({
      errors: {},
      session: { onConsole: true, locked: true },
    });
    mac.session = null;
    expect(ask(mac, 'desktop', { parts: ['session'] })).toEqual({ errors: {}, session: null });
  });

  test('tells the permissions and asks the person nothing', () => {
    const { mac } = createOffice();
    mac.grants = { screenRecording: false, accessibility: true };
    expect(ask(mac, 'desktop', { parts: ['permissions'] })).toEqual({
      errors: {},
      permissions: { screenRecording: false, accessibility: true },
    });
  });

  test('a part that cannot be read takes no other with it', () => {
    const { mac } = createOffice();
    mac.displays = [];
    expect(ask(mac, 'desktop', { parts: ['displays', 'windows', 'session'] })).toEqual({
      displays: [],
      session: { onConsole: true, locked: false },
      errors: { windows: expect.stringContaining('no graphical session') },
    });
  });
});

describe('installed-apps.js', () => {
  const request = {
    folders: ['/Applications', '/System/Applications'],
    bundleIds: ['com.apple.Safari', 'com.apple.gone'],
  };

  test('finds apps in the folders, in the folders within, and those only LaunchServices knows', () => {
    const { mac } = createOffice();
    expect(ask(mac, 'installed-apps', request)).toMatchObject({
      apps: expect.arrayContaining([
        { path: '/System/Applications/TextEdit.app', bundleId: 'com.apple.TextEdit', names: ['TextEdit'] },
        { path: '/System/Applications/Utilities/Terminal.app', bundleId: 'com.apple.Terminal', names: ['Terminal'] },
        { path: expect.stringContaining('Cryptexes'), bundleId: 'com.apple.Safari', names: ['Safari'] },
      ]),
    });
  });

  test('tells what the Finder shows before the name of the file', () => {
    const { mac } = createOffice();
    expect(ask(mac, 'installed-apps', request)).toMatchObject({
      apps: expect.arrayContaining([
        {
          path: '/System/Applications/VoiceMemos.app',
          bundleId: 'com.apple.VoiceMemos',
          names: ['Voice Memos', 'VoiceMemos'],
        },
      ]),
    });
  });

  test('leaves out what LaunchServices remembers and is gone', () => {
    const { mac } = createOffice();
    mac.staleRegistrations = { 'com.apple.gone': '/Applications/Gone.app' };
    expect(JSON.stringify(ask(mac, 'installed-apps', request))).not.toContain('Gone');
  });
});

describe('recognize-text.js', () => {
  function withPicture(use: (path: string) => void): void {
    const folder = mkdtempSync(join(tmpdir(), 'recognize-'));
    try {
      const path = join(folder, 'window.png');
      writeFileSync(path, 'a picture');
      use(path);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test('turns boxes that count from the bottom into boxes that count from the top', () => {
    const { mac } = createOffice();
    const window = mac.windows[0];
    if (window === undefined) throw new Error('the office has windows');
    window.recognized = [{ text: 'New game', confidence: 0.5, box: { x: 0.25, y: 0.75, width: 0.5, height: 0.125 } }];
    withPicture((path) => {
      mac.captures.set(path, window.id);
      expect(ask(mac, 'recognize-text', { path })).toEqual({
        lines: [{ text: 'New game', confidence: 0.5, box: { x: 0.25, y: 0.125, width: 0.5, height: 0.125 } }],
      });
    });
  });

  test('a text that Vision has no candidate for is left out', () => {
    const { mac } = createOffice();
    const window = mac.windows[0];
    if (window === undefined) throw new Error('the office has windows');
    const box = { x: 0, y: 0, width: 1, height: 1 };
    window.recognized = [{ text: '', confidence: 0, box, hasNoCandidate: true }];
    withPicture((path) => {
      mac.captures.set(path, window.id);
      expect(ask(mac, 'recognize-text', { path })).toEqual({ lines: [] });
    });
  });

  test('a picture without text has no lines', () => {
    withPicture((path) => expect(ask(createOffice().mac, 'recognize-text', { path })).toEqual({ lines: [] }));
  });

  test('a file that cannot be read is an error with the reason', () => {
    const { mac } = createOffice();
    expect(() => ask(mac, 'recognize-text', { path: '/nowhere.png' })).toThrow('The image could not be loaded.');
  });
});

describe('reader.js', () => {
  function read(input: readonly string[]) {
    const pipes = createPipes(input);
    const run = runScript(createOffice().mac, join(SCRIPTS, 'reader.js'), [JSON.stringify({ folder: SCRIPTS })], pipes);
    if (!run.ok) throw new Error(run.error);
    return { ...pipes, answers: pipes.output.map((line) => JSON.parse(line)) };
  }
  const call = (id: number, more: object = {}) =>
    `${JSON.stringify({ id, script: 'desktop', argv: ['{"parts":["session"]}'], ...more })}\n`;
  const session = '{"errors":{},"session":{"onConsole":true,"locked":false}}';

  test('answers each line in order with what the script prints, in one process, until its input ends', () => {
    const { answers, output, turns } = read([call(1), call(2) + call(3)]);
    expect(answers).toEqual([1, 2, 3].map((id) => ({ id, ok: true, output: session })));
    expect(output.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    // Without time for the run loop, AppKit would go on telling the apps of the first call.
    expect(turns).toBe(3);
  });

  test('puts a line together that arrives in pieces', () => {
    const line = call(1);
    expect(read([line.slice(0, 9), line.slice(9, 20), line.slice(20)]).answers).toMatchObject([{ id: 1, ok: true }]);
  });

  test.each([['quit-app'], ['trash-file'], ['reader'], ['../scripts/desktop'], ['constructor'], ['']])(
    'runs no script that is not in its list: %j',
    (script) => {
      expect(read([call(1, { script }), call(2)]).answers).toEqual([
        { id: 1, ok: false, error: 'Error: this is no script that only reads', number: -2700 },
        { id: 2, ok: true, output: session },
      ]);
    },
  );

  test('an error of a script is told with its number, and the next call is answered', () => {
    expect(read([call(1, { argv: ['no JSON'] }), call(2)]).answers).toMatchObject([
      { id: 1, ok: false, error: expect.stringContaining('SyntaxError'), number: -2700 },
      { id: 2, ok: true },
    ]);
  });
});

describe('address-opener.js', () => {
  test('tells the app that opens the addresses of a scheme', () => {
    const { mac } = createOffice();
    expect(ask(mac, 'address-opener', { scheme: 'https' })).toEqual({
      path: '/Applications/Google Chrome.app',
      bundleId: 'com.google.Chrome',
      name: 'Google Chrome',
    });
  });

  test('tells that there is none', () => {
    const { mac } = createOffice();
    mac.opensAddresses = null;
    expect(ask(mac, 'address-opener', { scheme: 'http' })).toEqual({ path: null, bundleId: null, name: null });
  });
});
