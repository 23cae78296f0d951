import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentDesktop } from '../../src/agent-host/virtual-desktop/agent-desktop.ts';
import {
  startVirtualDesktop,
  type VirtualDesktop,
  type VirtualDesktopOptions,
} from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';
import { processesWith, until } from './processes.ts';

const run = promisify(execFile);

async function desktop(options: Partial<VirtualDesktopOptions> = {}): Promise<VirtualDesktop> {
  const answer = await startVirtualDesktop({ environment: process.env, ...options });
  if (answer.state !== 'running') throw new Error(answer.message);
  onTestFinished(() => answer.close());
  return answer;
}

function onIt(env: Record<string, string>, program: string, args: readonly string[]) {
  return run(program, args, { env: { ...process.env, ...env } });
}

test('a virtual desktop has a screen of the asked size, a window manager and an accessibility bus', async () => {
  const { env } = await desktop({ width: 1280, height: 720 });
  const screen = await onIt(env, 'xdpyinfo', []);
  const windowManager = await onIt(env, 'xprop', ['-root', '_NET_SUPPORTING_WM_CHECK']);
  const question = ['string:org.a11y.Status', 'string:IsEnabled'];
  const accessibility = await onIt(env, 'dbus-send', [
    ...['--session', '--print-reply', '--dest=org.a11y.Bus', '/org/a11y/bus'],
    ...['org.freedesktop.DBus.Properties.Get', ...question],
  ]);
  expect(screen.stdout).toContain('dimensions:    1280x720 pixels');
  expect(windowManager.stdout).toContain('window id #');
  expect(accessibility.stdout).toContain('boolean true');
});

test('Ctrl-C in the terminal of its owner does not reach it', async () => {
  const { env } = await desktop();
  const { stdout } = await run('ps', ['-ww', '-eo', 'pgid=,args=', 'e']);
  const groups = stdout.split('\n').filter((line) => line.includes(`XDG_RUNTIME_DIR=${env.XDG_RUNTIME_DIR}`));
  const own = (await run('ps', ['-o', 'pgid=', '-p', String(process.pid)])).stdout.trim();
  expect(groups.length).toBeGreaterThan(2);
  expect(groups.filter((line) => line.trim().startsWith(`${own} `))).toEqual([]);
});

test('a virtual desktop can do without a window manager', async () => {
  const { env } = await desktop({ windowManager: 'none' });
  expect((await onIt(env, 'xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'])).stdout).not.toContain('window id');
});

test('only who can read the cookie can connect to the display', async () => {
  const { env } = await desktop();
  expect(statSync(String(env.XAUTHORITY)).mode & 0o777).toBe(0o600);
  expect(statSync(String(env.XDG_RUNTIME_DIR)).mode & 0o777).toBe(0o700);
  await expect(onIt({ ...env, XAUTHORITY: '/dev/null' }, 'xdpyinfo', [])).rejects.toThrow('unable to open display');
});

test('two virtual desktops do not get in each other’s way', async () => {
  const [first, second] = await Promise.all([desktop(), desktop()]);
  expect(first.env.DISPLAY).not.toBe(second.env.DISPLAY);
  await expect(onIt({ ...first.env, DISPLAY: String(second.env.DISPLAY) }, 'xdpyinfo', [])).rejects.toThrow();
});

function programsOn(folder: unknown): string[] {
  return processesWith(`XDG_RUNTIME_DIR=${folder}`).map(({ command }) => String(command.split(/[ /]/).at(0)));
}

test('closing a virtual desktop leaves no process and no file behind', async () => {
  const { env, close } = await desktop();
  const folder = String(env.XDG_RUNTIME_DIR);
  expect(programsOn(folder)).toEqual(expect.arrayContaining(['Xvfb', 'dbus-daemon', 'openbox']));
  await close();
  await until('all of the desktop has ended', () => programsOn(folder).length === 0);
  expect(existsSync(folder)).toBe(false);
});

test('a desktop that lost a part of itself says so, and one that is closed does not', async () => {
  const { env, broken } = await desktop({ windowManager: 'none' });
  const closed = await desktop({ windowManager: 'none' });
  const saidOfClosed = closed.broken.then((error) => error.message);
  await closed.close();
  const parts = processesWith(`XDG_RUNTIME_DIR=${env.XDG_RUNTIME_DIR}`);
  process.kill(Number(parts.find(({ command }) => command.startsWith('Xvfb'))?.pid), 'SIGKILL');
  expect((await broken).message).toContain('Xvfb ended with signal SIGKILL');
  expect(await Promise.race([saidOfClosed, 'nothing'])).toBe('nothing');
});

test('the desktop of the agent is made anew though an app still writes into the folder of the one that ended', async () => {
  const warnings: string[] = [];
  const quiet = () => undefined;
  const told: (() => void)[] = [];
  const agentDesktop = createAgentDesktop({
    platform: 'linux',
    environment: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' },
    log: { info: quiet, error: quiet, warn: (_facts: object, message: string) => warnings.push(message) },
    broken: () => told.shift()?.(),
  });
  onTestFinished(() => agentDesktop.close());
  const { XDG_RUNTIME_DIR: folder = '' } = await agentDesktop.environment();
  const writes = 'n=0; while :; do n=$((n+1)); mkdir -p "$0/apps"; touch "$0/apps/$n"; done';
  const writer = spawn('sh', ['-c', writes, folder], { stdio: 'ignore', detached: true });
  const ended = once(writer, 'exit');
  onTestFinished(async () => {
    process.kill(-Number(writer.pid), 'SIGKILL');
    await ended;
    // The program that the shell had started may write once more before it ends.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  await until('the app writes', () => existsSync(join(folder, 'apps')));
  const isBroken = new Promise<void>((resolve) => told.push(resolve));
  const server = processesWith(`XDG_RUNTIME_DIR=${folder}`).find(({ command }) => command.startsWith('Xvfb'));
  process.kill(Number(server?.pid), 'SIGKILL');
  await isBroken;
  expect(warnings.filter((message) => !message.includes('stays; a later start removes it'))).toEqual([]);
  const fresh = await agentDesktop.environment();
  expect((await onIt(fresh, 'xdpyinfo', [])).stdout).toContain('dimensions:');
  expect(agentDesktop.problem()).toBeUndefined();
});

test('the agent has no desktop, and says which programs are missing, where none can be started', async () => {
  const quiet = () => undefined;
  const agentDesktop = createAgentDesktop({
    platform: 'linux',
    environment: { PATH: '/nowhere' },
    log: { info: quiet, error: quiet, warn: quiet },
    broken: quiet,
  });
  expect(await agentDesktop.environment()).toEqual({});
  expect(agentDesktop.problem()).toMatch(/^missing programs: Xvfb, openbox/u);
});

test('nothing is left running when the process that started the desktop is killed', async () => {
  const starter = fileURLToPath(new URL('virtual-desktop-owner.ts', import.meta.url));
  const owner = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  const { value: folder } = await createInterface(owner.stdout)[Symbol.asyncIterator]().next();
  await until('an app runs on the desktop', () => programsOn(folder).includes('xterm'));
  expect(programsOn(folder)).toEqual(expect.arrayContaining(['Xvfb', 'dbus-daemon', 'openbox', 'xterm']));
  owner.kill('SIGKILL');
  await until('everything on the desktop has ended', () => programsOn(folder).length === 0);
});

test('folders of desktops that ended without removing them go when the next one starts, those in use stay', async () => {
  const inUse = (await desktop({ windowManager: 'none' })).env.XDG_RUNTIME_DIR ?? '';
  const [old, starting] = ['old', 'new'].map(() => mkdtempSync(join(tmpdir(), 'handrail-desktop-'))) as [
    string,
    string,
  ];
  onTestFinished(() => rmSync(starting, { recursive: true }));
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const folder of [inUse, old]) utimesSync(folder, anHourAgo, anHourAgo);
  await desktop({ windowManager: 'none' });
  expect([inUse, old, starting].map((folder) => existsSync(folder))).toEqual([true, false, true]);
});
