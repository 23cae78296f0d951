import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { parse } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelOf, SHELL_BRIDGE, SHELL_CALL_NAMES } from '../../src/contract/shell-calls.ts';
import { ASSETS } from '../../src/launch/assets.ts';
import { packedApp } from '../../src/packaging/places.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { until } from '../desktop/processes.ts';
import { isAlive } from '../e2e/daemon.ts';
import { type RunningApp, START_ENTRY, startApp } from '../shell/running-app.ts';
import { personAt } from './app-person.ts';
import { type Archive, machArchitectures, machMinimums, readArchive, sha256 } from './archive.ts';
import { type Ended, ROOT, runScript } from './packing.ts';
import { writeStubElectron } from './stub-electron.ts';
import { unpackApp } from './unpacked-app.ts';

const MEGABYTE = 1024 * 1024;

const BINARY = /\.(node|dylib|so(\.\d+)*|dll|exe)$/;

/** By these the keys and tokens of common services are known. */
const SECRET =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/=]|\b(npm|gh[pousr])_[A-Za-z0-9]{36}\b|\bAKIA[0-9A-Z]{16}\b/;

const folder = mkdtempSync(join(tmpdir(), 'handrail-packing-'));
let packing: Ended;

beforeAll(async () => {
  rmSync(join(ROOT, 'dist/packed'), { recursive: true, force: true });
  writeStubElectron(join(folder, 'electron'));
  packing = await runScript('src/packaging/package.ts', [
    '--dir',
    '--unsigned',
    '--electron',
    join(folder, 'electron'),
  ]);
});

// Programs of the virtual desktop may still write to the folder of their person as they end.
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }));

test('npm run package packs the app for both architectures, and asks no package manager', () => {
  expect({ code: packing.code, errors: packing.errors }).toEqual({ code: 0, errors: expect.any(String) });
  expect(packing.output).not.toContain('searching for node modules');
});

test('the app is signed with the entitlement that V8 needs, and with the one for Apple events of scripts', () => {
  const entitlements = parse(readFileSync(join(ROOT, 'src/packaging/mac/entitlements.plist'), 'utf8'));
  expect(entitlements).toEqual({
    'com.apple.security.cs.allow-jit': true,
    'com.apple.security.automation.apple-events': true,
  });
});

describe.each(['arm64', 'x64'] as const)('the packed app for %s', (arch) => {
  const contents = join(packedApp(arch), 'Contents');
  const archiveFile = join(contents, 'Resources/app.asar');
  let archive: Archive;
  let info: unknown;

  beforeAll(() => {
    archive = readArchive(archiveFile);
    info = parse(readFileSync(join(contents, 'Info.plist'), 'utf8'));
  });

  test('is a menu-bar app for macOS 13 with our name and our links', () => {
    expect(info).toMatchObject({
      CFBundleIdentifier: 'app.handrail.desktop',
      CFBundleExecutable: 'Handrail',
      CFBundleName: 'Handrail',
      CFBundleURLTypes: [{ CFBundleURLSchemes: ['handrail'] }],
      LSUIElement: true,
      LSMinimumSystemVersion: '13.0',
    });
    expect(existsSync(join(contents, 'MacOS/Handrail'))).toBe(true);
    expect(existsSync(join(contents, 'Frameworks/Handrail Helper (Renderer).app'))).toBe(true);
  });

  test('may load nothing from elsewhere without encryption, and asks for no device, and says why scripts drive other apps', () => {
    expect(info).toHaveProperty('NSAppTransportSecurity', { NSAllowsLocalNetworking: true });
    const asked = Object.keys(Object(info)).filter((name) => name.endsWith('UsageDescription'));
    expect(asked).toEqual(['NSAppleEventsUsageDescription']);
  });

  test('names the hash of its archive, and the archive names the hash of every file', () => {
    expect(info).toHaveProperty(['ElectronAsarIntegrity'], {
      'Resources/app.asar': { algorithm: 'SHA256', hash: archive.headerHash },
    });
    expect(archive.files.length).toBeGreaterThan(100);
    const changed = archive.files.filter(({ content, namedHash }) => sha256(content()) !== namedHash);
    expect(changed.map(({ path }) => path)).toEqual([]);
  });

  test('has its binaries beside the archive, each for this architecture and for macOS', () => {
    const binaries = archive.files.filter(({ path }) => BINARY.test(path));
    const names = binaries.map(({ path }) => basename(path).replace(/[.-]\d+\.\d+\.\d+/, ''));
    expect(names.toSorted()).toEqual(
      [`darwin-${arch}.node`, 'libvips-cpp.dylib', `sharp-darwin-${arch}.node`].toSorted(),
    );
    for (const { path, isUnpacked, content } of binaries) {
      expect([path, isUnpacked, machArchitectures(content())]).toEqual([path, true, expect.arrayContaining([arch])]);
      expect(existsSync(join(`${archiveFile}.unpacked`, path))).toBe(true);
    }
  });

  test('starts on each macOS that its binaries and Electron need', () => {
    const binaries = archive.files.filter(({ path }) => BINARY.test(path));
    for (const { content } of binaries)
      expect(machMinimums(content())).toEqual([expect.toSatisfy((least) => least <= 13)]);
  });

  test('has nothing else beside the archive but the scripts that macOS reads', () => {
    const others = archive.files.filter(({ path, isUnpacked }) => isUnpacked && !BINARY.test(path));
    expect(others.map(({ path }) => path).toSorted()).toEqual(
      [
        'accessibility',
        'address-opener',
        'clipboard',
        'desktop',
        'input-elements',
        'input-events',
        'installed-apps',
        'keyboard-layout',
        'quit-app',
        'reader',
        'recognize-text',
        'request-capture',
        'trash-file',
      ].map((name) => `macos-scripts/${name}.js`),
    );
  });

  test('has every program and every asset', () => {
    const paths = archive.files.map(({ path }) => path);
    const programs = ['main.js', ...Object.values(ASSETS).map(({ bundled }) => bundled)];
    const missing = programs.filter((name) => !paths.some((path) => path === name || path.startsWith(`${name}/`)));
    expect(missing).toEqual([]);
    expect(paths).toContain('page/index.html');
    expect(paths).toContain('tray/askingTemplate@2x.png');
  });

  test('has no source, no test, no map, no foreign package, no secret and no path of the machine that packed it', () => {
    const paths = archive.files.map(({ path }) => path);
    const top = new Set(paths.map((path) => path.split('/')[0]).filter((name) => !name?.endsWith('.js')));
    expect([...top].toSorted()).toEqual(
      ['macos-scripts', 'node_modules', 'package-files', 'package.json', 'page', 'preload.cjs', 'tray'].toSorted(),
    );
    expect(
      paths.filter((path) => /\.(ts|tsx|mts|map|c|cc|cpp|h|gyp|sh|env|db|log)$|(^|\/)(\.|tests?\/)/.test(path)),
    ).toEqual([]);
    expect(paths.filter((path) => /libnut-(linux|win32)|sharp-(linux|win32|wasm)|tesseract/.test(path))).toEqual([]);
    const leaks = archive.files.filter(({ content }) => {
      const text = content().toString('latin1');
      return SECRET.test(text) || text.includes(ROOT);
    });
    expect(leaks.map(({ path }) => path)).toEqual([]);
  });

  test('has its seven fuses set', async () => {
    const wire = await getCurrentFuseWire(packedApp(arch));
    const read = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE;
    expect({
      runAsNode: read(FuseV1Options.RunAsNode),
      cookieEncryption: read(FuseV1Options.EnableCookieEncryption),
      nodeOptions: read(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: read(FuseV1Options.EnableNodeCliInspectArguments),
      asarIntegrity: read(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: read(FuseV1Options.OnlyLoadAppFromAsar),
      filePrivileges: read(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: false,
      cookieEncryption: false,
      nodeOptions: false,
      inspect: false,
      asarIntegrity: true,
      onlyAsar: true,
      filePrivileges: false,
    });
  });

  test('is, without Electron, not larger than 40 MB', () => {
    const bytes = archive.files.reduce((sum, { size }) => sum + size, 0);
    console.log(`Handrail for ${arch}: ${(bytes / MEGABYTE).toFixed(1)} MB without Electron`);
    expect(bytes).toBeLessThan(40 * MEGABYTE);
  });
});

describe('taken out of the archive, under Node with a fake electron,', () => {
  let app: string;
  let running: RunningApp;

  beforeAll(async () => {
    app = unpackApp(join(folder, 'unpacked'));
    running = await startApp(join(app, 'main.js'), { home: join(folder, 'home') });
  });

  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-user-id': 'ann' };
    const answer = await fetch(`${running.base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  };

  test('the main program starts the agent of the bundle, and shows its own icon and preload script', () => {
    expect(running.shown).toMatchObject({
      icon: expect.stringMatching(/^\/.*\/tray\/[a-z]+Template\.png$/),
      preload: join(app, 'preload.cjs'),
      agent: { file: join(app, 'agent.js'), pid: expect.any(Number) },
    });
    expect(existsSync(running.shown.icon)).toBe(true);
  });

  test('the agent opens an app on a real desktop, and describes the screen', { timeout: 60_000 }, async () => {
    const capabilities = { canOpenApps: true, canCaptureScreen: true };
    const device = await post('/api/tee/devices/register', { type: 'linux', name: 'Desk', capabilities });
    const targetDeviceId: unknown = Object(device).deviceId;
    const open = { targetDeviceId, actionType: 'OpenApp', parameters: { appName: 'mousepad' } };
    expect(await post('/api/tee/actions', open)).toMatchObject({ status: 'success', effect: 'confirmed' });
    const describe = { targetDeviceId, actionType: 'DescribeScreen', parameters: {} };
    const seen = { status: 'success', details: expect.stringMatching(/mousepad/i) };
    expect(await post('/api/tee/actions', describe)).toMatchObject(seen);
  });

  test('the agent writes a file, runs a script over it in the sandbox, and reads the result', {
    timeout: 60_000,
  }, async () => {
    const person = personAt(running.base, await running.signIn());
    const work = join(folder, 'home/work');
    mkdirSync(work);
    expect((await person.allowFolder('ann', work)).status).toBe(200);
    const capabilities = { canAccessFiles: true, canRunScripts: true };
    const device = await post('/api/tee/devices/register', { type: 'linux', name: 'Files', capabilities });
    const act = async (actionType: string, parameters: object) => {
      const answer = await post('/api/tee/actions', {
        targetDeviceId: Object(device).deviceId,
        actionType,
        parameters,
      });
      return Object(answer);
    };
    const ended = (actionId: string) =>
      until('it has ended', async () => {
        const answer = await fetch(`${running.base}/api/tee/actions/${actionId}`, { headers: { 'x-user-id': 'ann' } });
        const action = Object(await answer.json());
        return ['success', 'failed', 'denied', 'expired'].includes(action.status) && action;
      });
    const path = join(work, 'numbers.txt');
    const written = await act('WriteFile', { path, content: '1\n2\n3\n' });
    await person.allowNext();
    expect(await ended(written.actionId)).toMatchObject({ status: 'success', effect: 'confirmed' });
    const script = 'print(sum(map(int, open("numbers.txt"))), file=open("sum.txt", "w"))';
    const run = await act('RunScript', { interpreter: 'python', script, folder: work });
    expect(await person.allowNext()).toContain('Run a Python script of 1 line');
    expect(await ended(run.actionId)).toMatchObject({ status: 'success', data: { exitCode: 0 } });
    const read = await act('ReadFile', { path: join(work, 'sum.txt') });
    expect(await ended(read.actionId)).toMatchObject({ status: 'success', data: { text: '6\n' } });
  });

  test('the daemon serves the page, the pages of /docs and its own version', async () => {
    const page = await fetch(`${running.base}/`);
    const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
    expect([page.status, script]).toEqual([200, expect.stringContaining('/assets/')]);
    for (const path of [script, '/docs/', '/docs/static/swagger-ui.css']) {
      expect([path, (await fetch(new URL(path, running.base))).status]).toEqual([path, 200]);
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await (await fetch(`${running.base}/health`)).json()).toMatchObject({ version });
  });

  test('the preload script gives a page the calls to the shell, with nothing but electron at hand', async () => {
    const given: Record<string, unknown> = {};
    const sent: unknown[] = [];
    const electron = {
      contextBridge: { exposeInMainWorld: (name: string, calls: unknown) => Object.assign(given, { [name]: calls }) },
      ipcRenderer: { invoke: async (...args: unknown[]) => sent.push(args) },
    };
    const sandbox = { require: (name: string) => ({ electron })[name], module: { exports: {} }, exports: {} };
    runInNewContext(readFileSync(join(app, 'preload.cjs'), 'utf8'), sandbox);
    expect(Object.keys(given)).toEqual([SHELL_BRIDGE]);
    const calls = Object(given[SHELL_BRIDGE]);
    expect(Object.keys(calls)).toEqual([...SHELL_CALL_NAMES]);
    await calls.openPane({ permission: 'accessibility' });
    expect(sent).toEqual([[channelOf('openPane'), { permission: 'accessibility' }]]);
  });

  test('the thread verifies the journal', async () => {
    const directory = dataDirectoryAt(join(folder, 'home/daemon'));
    const workerData = { directory, atLeisure: false };
    const audit = new Worker(join(app, 'journal-audit-worker.js'), { workerData });
    expect(await once(audit, 'message')).toEqual([expect.objectContaining({ valid: true })]);
  });

  test('Quit in its menu ends it, and its agent', async () => {
    expect(await running.quit()).toEqual([0, null]);
    expect(isAlive(running.shown.agent.pid)).toBe(false);
  });

  test('the step of the workflow that tries the packed app passes on them', { timeout: 60_000 }, async () => {
    const program = join(folder, 'Handrail.app/Contents/MacOS/Handrail');
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${START_ENTRY}' '${join(app, 'main.js')}'\n`, {
      mode: 0o755,
    });
    const args = [join(folder, 'Handrail.app')];
    const { code, output } = await runScript('test/workflow/try-app.ts', args, { HANDRAIL_AGENT_DRIVER: 'fake' });
    expect(output).toMatch(/^its health: .*"online".*\nthe screen: "/);
    expect({ code, last: output.trim().split('\n').at(-1) }).toEqual({ code: 0, last: 'it ended with 0' });
  });
});
