import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm, watch } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { switchAccessibilityOn } from '../accessibility-switch.ts';
import { installCommand, missingNeeds, type SystemNeed } from './programs.ts';

const ANY_HOST = 0xffff;
const COOKIE_BYTES = 16;

export type VirtualDesktopOptions = {
  /** The environment that the programs of the desktop inherit; its PATH is searched for them. */
  environment: NodeJS.ProcessEnv;
  /** Pixels; 1920 × 1080 by default. */
  width?: number;
  height?: number;
  windowManager?: 'openbox' | 'none';
};

/** A desktop of its own: X server, D-Bus session with AT-SPI, window manager. All of it ends with this process. */
export type VirtualDesktop = {
  state: 'running';
  /** Variables to add to the environment of a program that runs on this desktop. */
  env: Record<string, string>;
  /** Resolves when a part of the desktop ended unexpectedly. The desktop is then unusable and must be closed. */
  broken: Promise<Error>;
  /** Ends all of it. Rejects where its folder could not be removed; a later start removes that folder. */
  close(): Promise<void>;
};

export type NoVirtualDesktop = {
  state: 'unavailable';
  /** Names of the programs that are not installed; empty when they are, and did not start. */
  missing: string[];
  message: string;
  /** The advice to the person, with the command to run. */
  fix: string;
};

export const VIRTUAL_DESKTOP_NEEDS: readonly SystemNeed[] = [
  { name: 'Xvfb', package: 'xvfb', anyOf: ['Xvfb'] },
  { name: 'openbox', package: 'openbox', anyOf: ['openbox'] },
  { name: 'dbus-daemon', package: 'dbus', anyOf: ['dbus-daemon'] },
  { name: 'dbus-send', package: 'dbus', anyOf: ['dbus-send'] },
  {
    name: 'at-spi-bus-launcher',
    package: 'at-spi2-core',
    anyOf: ['/usr/libexec/at-spi-bus-launcher', '/usr/lib/at-spi2-core/at-spi-bus-launcher'],
  },
  { name: 'setpriv', package: 'util-linux', anyOf: ['setpriv'] },
];

const WINDOW_MANAGER_READY = 'window-manager-is-ready';
const STEP_TIMEOUT_MS = 10_000;

/** Whether this machine shows no desktop to this process, so that one has to be made. The agent's fake driver uses none. */
export function needsVirtualDesktop(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  const { DISPLAY: display = '', WAYLAND_DISPLAY: wayland = '', HANDRAIL_AGENT_DRIVER: driver } = environment;
  return platform === 'linux' && display === '' && wayland === '' && driver !== 'fake';
}

/** The socket in the folder; as long as somebody listens on it, the folder is in use. */
const BUS_SOCKET = 'bus';

const PREFIX = 'handrail-desktop-';
/** Longer than any start takes: a folder without a socket that is older belongs to no desktop. */
const STARTING_MS = 60_000;

/** A new folder that only the owner can enter. Folders left by processes that were killed are removed. */
export async function createDesktopFolder(): Promise<string> {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  await Promise.allSettled(folders.map((name) => removeIfAbandoned(join(tmpdir(), name))));
  return mkdtempSync(join(tmpdir(), PREFIX));
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < STARTING_MS) return;
  if (!(await isAnswered(join(folder, BUS_SOCKET)))) await removeDesktopFolder(folder);
}

/** Apps that outlive their desktop for a moment may still write into the folder. Rejects where it cannot be removed. */
async function removeDesktopFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

type Command = {
  program: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
};

/** A program that ends when this process does, even when this process is killed and cannot see to it. Linux only. */
type TetheredProcess = {
  program: string;
  pid: number;
  /** The first line the program writes to its file descriptor 3. Rejects with ProgramEndedError if it ends before. */
  firstLine(): Promise<string>;
  /** Resolves when the program has ended, with how; never rejects. */
  ended: Promise<ProgramEndedError>;
  /** Asks it to end, insists after `GRACE_MS`, resolves when it has ended. */
  end(): Promise<void>;
};

/** The message says how the program ended, with its last output on standard error. */
class ProgramEndedError extends Error {
  override name = 'ProgramEndedError';
}

const GRACE_MS = 2_000;
const KEPT_STDERR_CHARACTERS = 2_000;

/**
 * The kernel is told to send the program SIGTERM when its parent ends. The shell in between closes the gap in which the
 * parent may have ended before the kernel was told: then the program is not started at all.
 */
const START_IF_PARENT_LIVES = '[ "$PPID" = "$0" ] && exec "$@"';

export function startTethered({ program, args, environment }: Command): TetheredProcess {
  const tether = ['--pdeathsig', 'TERM', '--', 'sh', '-c', START_IF_PARENT_LIVES, String(process.pid)];
  const child = spawn('setpriv', [...tether, program, ...args], {
    env: environment,
    // Ctrl-C in the terminal is for this process, which ends its programs in order.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child, program);
  return {
    program,
    pid: child.pid ?? 0,
    ended,
    firstLine: () => Promise.race([firstLineOf(child), ended.then((error) => Promise.reject(error))]),
    async end() {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(insist);
    },
  };
}

async function endOf(child: ChildProcess, program: string): Promise<ProgramEndedError> {
  const lastWords = tailOf(child.stderr);
  try {
    const [code, signal] = await once(child, 'exit');
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    const words = lastWords().trim();
    return new ProgramEndedError(`${program} ended with ${how}${words === '' ? '' : `: ${words}`}`);
  } catch (cause) {
    return new ProgramEndedError(`${program} could not be started`, { cause });
  }
}

function tailOf(stream: Readable | null): () => string {
  let tail = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-KEPT_STDERR_CHARACTERS);
  });
  return () => tail;
}

function firstLineOf(child: ChildProcess): Promise<string> {
  const stream = child.stdio[3];
  return new Promise((resolve) => {
    let text = '';
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}

/** Resolves when windows can be opened and elements be read. Programs that are missing or fail are an answer, no error. */
export async function startVirtualDesktop(options: VirtualDesktopOptions): Promise<VirtualDesktop | NoVirtualDesktop> {
  const missing = missingNeeds(VIRTUAL_DESKTOP_NEEDS, options.environment.PATH ?? '');
  if (missing.length > 0) return notInstalled(missing);
  const started: TetheredProcess[] = [];
  const folder = await createDesktopFolder();
  let closing = false;
  const close = async () => {
    closing = true;
    for (const part of started.toReversed()) await part.end();
    await removeDesktopFolder(folder);
  };
  try {
    const env = await start({ options, folder, started });
    const firstEnd = Promise.race(started.map((part) => part.ended));
    const broken = new Promise<Error>((resolve) => {
      void firstEnd.then((error) => closing || resolve(error));
    });
    return { state: 'running', env, broken, close };
  } catch (error) {
    await close().catch(() => undefined);
    if (error instanceof ProgramEndedError || error instanceof StepError) return didNotStart(error);
    throw error;
  }
}

class StepError extends Error {
  override name = 'StepError';
}

type Setup = { options: VirtualDesktopOptions; folder: string; started: TetheredProcess[] };

async function start({ options, folder, started }: Setup): Promise<Record<string, string>> {
  const env: Record<string, string> = privateSettings(folder);
  const launch = (program: string, args: readonly string[]) => {
    const part = startTethered({ program, args, environment: { ...inherited(options.environment), ...env } });
    started.push(part);
    return part;
  };
  env.DISPLAY = await startXServer(launch, { options, authority: String(env.XAUTHORITY) });
  env.DBUS_SESSION_BUS_ADDRESS = await startSessionBus(launch, folder);
  const environment = { ...inherited(options.environment), ...env };
  const windowManager = options.windowManager === 'none' ? undefined : startOpenbox(launch, folder);
  await Promise.all([accessibilityOn(environment), windowManager]);
  return env;
}

type Launch = (program: string, args: readonly string[]) => TetheredProcess;

/** Settings are kept in memory and files are reached directly, or the apps would leave helpers of theirs behind. */
function privateSettings(folder: string): Record<string, string> {
  const authority = join(folder, 'Xauthority');
  writeXAuthority(authority);
  return {
    XAUTHORITY: authority,
    XDG_RUNTIME_DIR: folder,
    XDG_SESSION_TYPE: 'x11',
    GSETTINGS_BACKEND: 'memory',
    GIO_USE_VFS: 'local',
  };
}

/** Without what would lead the programs to another desktop than this one. */
function inherited(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { WAYLAND_DISPLAY, AT_SPI_BUS_ADDRESS, SESSION_MANAGER, NO_AT_BRIDGE, ...rest } = environment;
  return rest;
}

async function startXServer(
  launch: Launch,
  { options: { width = 1920, height = 1080 }, authority }: { options: VirtualDesktopOptions; authority: string },
): Promise<string> {
  const screen = ['-screen', '0', `${width}x${height}x24`];
  const server = launch('Xvfb', ['-displayfd', '3', ...screen, '-nolisten', 'tcp', '-auth', authority, '-noreset']);
  return `:${await within(server.firstLine(), 'Xvfb is ready')}`;
}

async function startSessionBus(launch: Launch, folder: string): Promise<string> {
  const address = `--address=unix:path=${join(folder, BUS_SOCKET)}`;
  const bus = launch('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=3', address]);
  return within(bus.firstLine(), 'dbus-daemon is ready');
}

/** Openbox runs its startup command once it manages the windows. */
async function startOpenbox(launch: Launch, folder: string): Promise<void> {
  const noMoreWatching = new AbortController();
  const appeared = fileAppears(folder, noMoreWatching.signal);
  const openbox = launch('openbox', [
    '--sm-disable',
    '--startup',
    `sh -c 'touch "$XDG_RUNTIME_DIR/${WINDOW_MANAGER_READY}"'`,
  ]);
  const ended = openbox.ended.then((error) => Promise.reject(error));
  try {
    await within(Promise.race([appeared, ended]), 'openbox is ready');
  } finally {
    noMoreWatching.abort();
  }
}

async function fileAppears(folder: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const { filename } of watch(folder, { signal })) if (filename === WINDOW_MANAGER_READY) return;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function accessibilityOn(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    await switchAccessibilityOn(environment);
  } catch (cause) {
    throw new StepError(`org.a11y.Bus did not start: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

async function within<Value>(step: Promise<Value>, condition: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const message = `waited ${STEP_TIMEOUT_MS / 1000} s in vain until ${condition}`;
  const timer = setTimeout(() => reject(new StepError(message)), STEP_TIMEOUT_MS);
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
  }
}

function notInstalled(missing: readonly SystemNeed[]): NoVirtualDesktop {
  const names = missing.map((need) => need.name);
  const command = installCommand(missing, { asRoot: process.getuid?.() === 0 });
  return {
    state: 'unavailable',
    missing: names,
    message: `There is no display, and a virtual desktop needs programs that are not installed: ${names.join(', ')}.`,
    fix: `Start Handrail from a desktop session, or install them: ${command}`,
  };
}

function didNotStart(error: Error): NoVirtualDesktop {
  return {
    state: 'unavailable',
    missing: [],
    message: `There is no display, and the virtual desktop did not start: ${error.message}.`,
    fix: 'Start Handrail from a desktop session, or put right what the message says and start it again.',
  };
}

/**
 * Writes an Xauthority file with a fresh cookie that is good for every display: the number of the display is known only
 * once the X server, which reads the file, has started. Only the owner may read it, so nobody else can connect.
 */
export function writeXAuthority(file: string): void {
  const family = Buffer.alloc(2);
  family.writeUInt16BE(ANY_HOST);
  const fields = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from('MIT-MAGIC-COOKIE-1'), randomBytes(COOKIE_BYTES)];
  writeFileSync(file, Buffer.concat([family, ...fields.map(counted)]), { mode: 0o600, flag: 'wx' });
}

function counted(field: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(field.length);
  return Buffer.concat([length, field]);
}
