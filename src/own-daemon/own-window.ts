import { spawn } from 'node:child_process';
import { mkdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectoryAt } from '../store/database/data-directory.ts';

/** The window was opened in this browser, or is not, and why. Nothing where no browser that can do it is installed. */
export type OwnWindow = { browser: string } | { because: string } | undefined;

type Machine = {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  userId?: number | undefined;
  /** The owner and the mode of a file; nothing where there is none. */
  look?: (path: string) => { uid: number; mode: number } | undefined;
  run?: (command: string, args: readonly string[], environment: NodeJS.ProcessEnv) => void;
};

type Wish = { dataDirectory: string; address: string };

/** The executable files themselves: the scripts that start them take options from files and variables that any program of the person can set. */
const ON_LINUX = {
  Chromium: [
    '/usr/lib/chromium/chromium',
    '/usr/lib64/chromium-browser/chromium-browser',
    '/usr/lib/chromium-browser/chromium-browser',
  ],
  'Google Chrome': ['/opt/google/chrome/chrome'],
  'Microsoft Edge': ['/opt/microsoft/msedge/msedge'],
  Brave: ['/opt/brave.com/brave/brave'],
};
const ON_MAC = {
  'Google Chrome': ['/Applications/Google Chrome.app'],
  Chromium: ['/Applications/Chromium.app'],
  'Microsoft Edge': ['/Applications/Microsoft Edge.app'],
  Brave: ['/Applications/Brave Browser.app'],
};

/** All that a browser needs of the environment. None of these names a file with options or an extension. */
const KEPT =
  /^(?:DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|HOME|USER|LOGNAME|PATH|LANG|LC_[A-Z]+|XDG_(?:RUNTIME_DIR|SESSION_TYPE|CURRENT_DESKTOP)|DBUS_SESSION_BUS_ADDRESS)$/u;

/** By this argument a browser has Handrail's own profile. */
export function profileArgument(dataDirectory: string): string {
  return `--user-data-dir=${dataDirectoryAt(dataDirectory).browserProfile}`;
}

/**
 * Opens the dashboard in a window of its own: in a browser with a profile of Handrail's, without extensions, and with no other page. No
 * requester can reach such a window, and the person's own browser stays free for them. The address holds no code.
 */
export function openOwnWindow({ dataDirectory, address }: Wish, machine: Machine): OwnWindow {
  const { platform, environment, userId = process.geteuid?.(), look = lookAt, run = start } = machine;
  const isMac = platform === 'darwin';
  const found = installed(isMac ? ON_MAC : ON_LINUX, (path) => isOfSystem(look(path), isMac));
  if (found === undefined || !hasDesktop(machine)) return undefined;
  if (userId === 0) return { because: `${found.name} has no sandbox for root. Open ${address} as another user.` };
  mkdirSync(dataDirectoryAt(dataDirectory).browserProfile, { recursive: true, mode: 0o700 });
  const args = [`--app=${address}`, profileArgument(dataDirectory), ...ALONE];
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT.test(name))); // guard A23-2
  if (isMac) run('/usr/bin/open', ['-n', '-a', found.path, '--args', ...args], kept);
  else run(found.path, args, kept);
  return { browser: found.name };
}

const ALONE = [
  '--disable-extensions',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--no-default-browser-check',
];

/** Whether the person sits at a desktop: over SSH a window would open elsewhere, or nowhere. */
export function hasDesktop({ platform, environment }: Pick<Machine, 'platform' | 'environment'>): boolean {
  if (environment.SSH_CONNECTION) return false;
  return platform === 'darwin' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

/** Whether a browser runs with the profile: it links to its process there. On a Mac it also runs without any window. */
export function isOwnWindowOpen(dataDirectory: string, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin') return false;
  try {
    const holder = readlinkSync(join(dataDirectoryAt(dataDirectory).browserProfile, 'SingletonLock'));
    return process.kill(Number(holder.slice(holder.lastIndexOf('-') + 1)), 0);
  } catch {
    return false;
  }
}

function installed(browsers: Readonly<Record<string, readonly string[]>>, is: (path: string) => boolean) {
  for (const [name, paths] of Object.entries(browsers)) {
    const path = paths.find(is);
    if (path !== undefined) return { name, path };
  }
  return undefined;
}

/** On Linux only root may have put it there; on a Mac the person installs apps by hand. */
function isOfSystem(found: { uid: number; mode: number } | undefined, isMac: boolean): boolean {
  return found !== undefined && (isMac || (found.uid === 0 && (found.mode & 0o022) === 0)); // guard A23-1
}

function lookAt(path: string): { uid: number; mode: number } | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** The browser outlives the daemon and the command that started it. A browser that cannot start says so itself. */
function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}
