import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MachineView } from '../../src/contract/machine-view.ts';
import { checkAccessibility, checkDisplay } from '../../src/doctor/desktop.ts';
import { checkMachines, checkPermissions } from '../../src/doctor/machines.ts';
import { checkDataDirectory, checkPort } from '../../src/doctor/own-daemon.ts';
import { checkPrograms, checkSandbox } from '../../src/doctor/sandbox.ts';
import { handrail } from './rig.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for PATH with programs that answer this. */
function programs(scripts: Record<string, string>): string {
  const folder = newFolder();
  for (const [name, body] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return folder;
}

async function listening(at: { port: number } | { path: string }): Promise<Server> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen('port' in at ? { ...at, host: '127.0.0.1' } : at, resolve));
  onTestFinished(() => void server.close());
  return server;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const problem = (check: string, message: string, remedy: unknown) => ({ check, state: 'problem', message, remedy });

test('a missing program is named, with the command that installs it', () => {
  const machine = { platform: 'linux', environment: { PATH: newFolder() }, sandboxPath: newFolder() } as const;
  expect(checkPrograms({ ...machine, asRoot: false })).toEqual([
    problem(
      'programs',
      'Scripts cannot run, because bubblewrap and prlimit are not installed.',
      expect.stringMatching(/^Install them: sudo apt-get install .*bubblewrap util-linux$/),
    ),
    problem(
      'programs',
      'Python scripts cannot run, because python3 is not installed.',
      expect.stringContaining('python3'),
    ),
  ]);
});

test('programs that are there are good', () => {
  const path = programs({ bwrap: '', prlimit: '', python3: '' });
  const machine = { platform: 'linux', environment: { PATH: path }, sandboxPath: path, asRoot: true } as const;
  expect(checkPrograms(machine)).toMatchObject([{ state: 'good' }]);
});

test('a taken port is named, and one beside it proposed', async () => {
  const port = portOf(await listening({ port: 0 }));
  const remedy = 'End that program, or set HANDRAIL_PORT to another port, such as 3002.';
  const taken = problem('port', `Another program has port ${port}.`, remedy);
  expect(await checkPort({ port, dataDirectory: newFolder() })).toEqual([taken]);
});

test('a free port is good, and any port always', async () => {
  const server = await listening({ port: 0 });
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await checkPort({ port, dataDirectory: newFolder() })).toMatchObject([{ state: 'good' }]);
  expect(await checkPort({ port: 0, dataDirectory: newFolder() })).toMatchObject([
    { state: 'good', message: 'any free port' },
  ]);
});

test('a display where no X server answers is a problem; one where something listens is good', async () => {
  const at = (display: string) => checkDisplay({ platform: 'linux', environment: { DISPLAY: display }, asRoot: false });
  const remedy = expect.stringContaining('unset DISPLAY');
  expect(await at(':7654')).toEqual([problem('display', 'No X server answers at DISPLAY=:7654.', remedy)]);
  expect(await at('nonsense')).toMatchObject([{ state: 'problem' }]);
  let server: Server | undefined;
  for (let number = 60; server === undefined; number += 1) {
    const tried = createServer((socket) => socket.end());
    const isOpen = await new Promise<boolean>((resolve) => {
      tried.once('error', () => resolve(false));
      tried.listen({ port: 6_000 + number, host: '127.0.0.1' }, () => resolve(true));
    });
    if (isOpen) server = tried;
  }
  const found = server;
  onTestFinished(() => void found.close());
  expect(await at(`127.0.0.1:${portOf(found) - 6_000}.0`)).toMatchObject([{ state: 'good' }]);
});

test('without a display the programs of a virtual desktop are needed, and named where they are missing', async () => {
  const missing = await checkDisplay({ platform: 'linux', environment: { PATH: newFolder() }, asRoot: true });
  expect(missing).toMatchObject([{ state: 'problem', remedy: expect.stringContaining('apt-get install') }]);
  expect(missing[0]?.message).toContain('Xvfb');
});

test('Wayland without X11 is a problem, and a Mac has its desktop', async () => {
  const wayland = { platform: 'linux', environment: { WAYLAND_DISPLAY: 'wayland-0' }, asRoot: false } as const;
  expect(await checkDisplay(wayland)).toMatchObject([
    { state: 'problem', message: expect.stringContaining('Wayland') },
  ]);
  expect(await checkDisplay({ platform: 'darwin', environment: {}, asRoot: false })).toMatchObject([{ state: 'good' }]);
});

test('a sandbox that cannot be made is a problem with the reason of its program', async () => {
  const PATH = programs({ bwrap: 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1' });
  const message = 'A sandbox cannot be made: bwrap: setting up uid map: Permission denied.';
  const expected = problem('sandbox', message, expect.stringContaining('user namespaces'));
  expect(await checkSandbox({ platform: 'linux', environment: { PATH } })).toEqual([expected]);
});

test('without bubblewrap there is no sandbox', async () => {
  expect(await checkSandbox({ platform: 'linux', environment: { PATH: newFolder() } })).toMatchObject([
    { state: 'problem', remedy: expect.stringContaining('see programs') },
  ]);
});

test('a data directory that is a link, a file, of another user or not writable is a problem', () => {
  const folder = newFolder();
  symlinkSync(tmpdir(), join(folder, 'link'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
  writeFileSync(join(folder, 'file'), '');
  const found = ['link', 'dangling', 'file'].map((name) => checkDataDirectory(join(folder, name))[0]);
  expect(found).toMatchObject([
    { state: 'problem', message: expect.stringContaining('symbolic link') },
    { state: 'problem', message: expect.stringContaining('symbolic link') },
    { state: 'problem', message: expect.stringContaining('no folder') },
  ]);
  for (const finding of found) expect(finding?.remedy).toContain('HANDRAIL_DATA_DIR');
  expect(checkDataDirectory(join(folder, 'file/below'))[0]).toMatchObject({ state: 'problem' });
});

test('a data directory is good where it is ours or can be made, and nothing is made', () => {
  const folder = newFolder();
  const fresh = join(folder, 'a/b');
  expect(checkDataDirectory(fresh)).toEqual([{ check: 'data directory', state: 'good', message: fresh }]);
  mkdirSync(fresh, { recursive: true });
  chmodSync(fresh, 0o700);
  expect(checkDataDirectory(fresh)).toMatchObject([{ state: 'good' }]);
});

test.each([
  [{ screenRecording: 'granted', accessibility: 'granted' }, ['good']],
  [{ screenRecording: 'denied', accessibility: 'denied' }, ['problem', 'problem']],
  [undefined, ['note']],
] as const)('on a Mac permissions %j are %j', async (told, states) => {
  const found = await checkPermissions({ platform: 'darwin', permissions: async () => told });
  expect(found.map(({ state }) => state)).toEqual(states);
  for (const { state, remedy } of found) if (state === 'problem') expect(remedy).toContain('System Settings');
});

test('handrail doctor lists every check with its remedy, and exits with 1 on a problem', async () => {
  const environment = { PATH: newFolder(), HANDRAIL_DATA_DIR: join(newFolder(), 'data'), HANDRAIL_PORT: '0' };
  const { code, output } = await handrail(['doctor'], { environment });
  expect(code).toBe(1);
  for (const name of ['display', 'permissions', 'programs', 'port', 'sandbox', 'data directory', 'user'])
    expect(output).toMatch(new RegExp(`^(ok|note|PROBLEM) +${name} `, 'm'));
  expect(output).toContain('→ Install it');
  const { output: json } = await handrail(['doctor', '--json'], { environment });
  expect(JSON.parse(json)).toHaveLength(output.split('\n').filter((line) => /^(ok|note|PROBLEM)/.test(line)).length);
});

test('handrail doctor exits with 0 where nothing is wrong', async () => {
  const environment = { HANDRAIL_DATA_DIR: join(newFolder(), 'data'), HANDRAIL_PORT: '0' };
  const { code, output } = await handrail(['doctor', '--json'], { environment, platform: 'darwin' });
  const states = JSON.parse(output).map(({ check, state }: { check: string; state: string }) => `${check}: ${state}`);
  // The sandbox of a Mac is not here.
  expect(states).toContain('display: good');
  expect(code).toBe(process.platform === 'darwin' ? 0 : 1);
});

const STUDIO: MachineView = {
  name: 'studio',
  address: 'ann@studio',
  status: 'online',
  running: 0,
  addedAt: '2026-11-29T10:00:00.000Z',
  platform: 'macos',
  hostname: 'studio.local',
  version: '0.1.0',
  displays: 1,
  roundTripMs: 4.2,
  permissions: { screenRecording: 'granted', accessibility: 'granted', automation: 'not_required' },
};

const examined = (...machines: MachineView[]) => checkMachines({ machines: async () => machines });

test('a machine that is reached and has what it needs is good', async () => {
  expect(await examined(STUDIO)).toEqual([
    {
      check: 'machines',
      state: 'good',
      message: 'studio: macos on studio.local, version 0.1.0, 4.2 ms there and back',
    },
  ]);
  expect(await examined()).toMatchObject([{ state: 'good', message: 'none besides this computer' }]);
});

test('a machine that is not reached is a problem, with its reason and remedy apart', async () => {
  const reason = 'its host key is not known yet; run `ssh ann@studio` once by hand, and compare the key';
  expect(await examined({ ...STUDIO, status: 'unreachable', reason })).toEqual([
    {
      check: 'machines',
      state: 'problem',
      message: 'studio at ann@studio: its host key is not known yet.',
      remedy: 'run `ssh ann@studio` once by hand, and compare the key',
    },
  ]);
  expect(await examined({ ...STUDIO, status: 'offline' })).toMatchObject([
    { state: 'problem', remedy: 'handrail machine test studio' },
  ]);
  expect(await examined({ ...STUDIO, status: 'starting' })).toMatchObject([{ state: 'note' }]);
});

test('a machine without a display, or without a permission, is told with the remedy there', async () => {
  const permissions = { screenRecording: 'denied', accessibility: 'denied', automation: 'not_required' } as const;
  expect(await examined({ ...STUDIO, displays: 0, permissions })).toEqual([
    expect.objectContaining({ state: 'problem', message: 'studio has no display.' }),
    expect.objectContaining({ message: expect.stringContaining('Screen & System Audio Recording') }),
    expect.objectContaining({
      remedy: expect.stringContaining('There: System Settings → Privacy & Security → Access'),
    }),
  ]);
  const off = { ...permissions, screenRecording: 'not_required', accessibility: 'switched_off' } as const;
  expect(await examined({ ...STUDIO, permissions: off })).toMatchObject([
    { state: 'note', remedy: expect.stringContaining('There: gsettings set') },
  ]);
});

test('where no Handrail runs, the machines are not known', async () => {
  expect(await checkMachines({ machines: async () => undefined })).toMatchObject([
    { state: 'note', remedy: 'handrail start' },
  ]);
});

test('where the session does not tell about accessibility, only what is not there is to be installed', async () => {
  const remedyWith = async (scripts: Record<string, string>) => {
    const environment = { DISPLAY: ':1', PATH: programs(scripts) };
    const [found] = await checkAccessibility({ platform: 'linux', environment });
    return found !== undefined && 'remedy' in found ? found.remedy : undefined;
  };
  expect(await remedyWith({})).toMatch(/^Install .*dbus.*\. Run this in a terminal of the desktop/u);
  const installed = await remedyWith({ 'dbus-send': 'exit 1' });
  expect(installed).toContain('Run this in a terminal of the desktop');
  expect(installed).not.toMatch(/Install .*dbus/u);
});
