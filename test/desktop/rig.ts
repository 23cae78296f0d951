import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  startVirtualDesktop,
  type VirtualDesktopOptions,
} from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';
import { until } from './processes.ts';

export type RigApp = { program: string; pid: number; end(): Promise<void> };

/** What `wmctrl` says of a window; `id` as it prints it, such as `0x02400007`. */
export type RigWindow = { id: string; pid: number; title: string };

export type RigArea = { x: number; y: number; width: number; height: number };

/** Eyes and hands on a desktop, which share nothing with the code under test. */
export type RigOnDesktop = {
  /** Starts an app as its own process; it ends with the rig, or by its `end`. */
  launch(program: string, args?: readonly string[]): RigApp;
  /** Starts an app and waits until its first window is shown. */
  open(program: string, args?: readonly string[]): Promise<{ app: RigApp; window: RigWindow }>;
  /** Standard output of a program such as xdotool, xprop or wmctrl; rejects when it fails. */
  ask(program: string, ...args: readonly string[]): Promise<string>;
  windows(): Promise<RigWindow[]>;
  activeWindow(): Promise<RigWindow | undefined>;
  /** The window's own area on the root window, without its frame. */
  area(windowId: string): Promise<RigArea>;
  /** The root window as ImageMagick sees it: RGB, 3 bytes a pixel. */
  pixels(): Promise<Buffer>;
  /** Rejects with the description when the condition is not met within 20 s. */
  until: typeof until;
};

/** A real desktop for one test file. */
export type Rig = RigOnDesktop & {
  /** To be laid over the environment of programs that the test starts by itself. */
  env: Record<string, string>;
  /** The person uses a device of their own. */
  touchByPerson(): Promise<unknown>;
  close(): Promise<void>;
};

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Starts the desktop and moves this test process onto it: its own environment then names the display, the buses and a
 * fresh home folder. Close it in `afterAll`.
 */
export async function startRig(options: Partial<VirtualDesktopOptions> = {}): Promise<Rig> {
  const desktop = await startedDesktop(options);
  const home = mkdtempSync(join(tmpdir(), 'handrail-rig-home-'));
  const env = { ...desktop.env, HOME: home };
  const previous = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, env);
  const { endApps, ...rig } = rigOn({ ...process.env, ...env });
  return {
    env,
    ...rig,
    touchByPerson: () => rig.ask(process.execPath, join(import.meta.dirname, 'person-device.ts')),
    async close() {
      await endApps();
      await desktop.close();
      restore(previous);
      // A program that lost its display may write once more before it ends.
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** On a desktop that runs. `before` are words before each app. */
export function rigOn(
  env: NodeJS.ProcessEnv,
  before: readonly string[] = [],
): RigOnDesktop & { endApps(): Promise<void> } {
  const apps: RigApp[] = [];
  const eyes = createEyes(env);
  const launch = (program: string, args: readonly string[] = []) => {
    const app = launchApp({ program, words: [...before, program, ...args], env });
    apps.push(app);
    return app;
  };
  return {
    ...eyes,
    launch,
    async open(program, args = []) {
      const app = launch(program, args);
      const isIts = (window: RigWindow) => window.pid === app.pid;
      const window = await until(`${program} shows a window`, async () => (await eyes.windows()).find(isIts));
      return { app, window };
    },
    until,
    async endApps() {
      await Promise.all(apps.map((app) => app.end()));
    },
  };
}

/** The parts of a desktop have 10 s each to start; beside other tests one may need longer, and then another desktop is tried. */
async function startedDesktop(options: Partial<VirtualDesktopOptions>) {
  for (let tries = 1; ; tries += 1) {
    const desktop = await startVirtualDesktop({ environment: process.env, ...options });
    if (desktop.state === 'running') return desktop;
    if (desktop.missing.length > 0 || tries === 3) throw new Error(`${desktop.message} ${desktop.fix}`);
  }
}

function restore(previous: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(previous)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

type Launched = { program: string; words: readonly string[]; env: NodeJS.ProcessEnv };

function launchApp({ program, words, env }: Launched): RigApp {
  const [command = '', ...args] = words;
  const child = spawn(command, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit').catch((cause) => {
    throw new Error(`${program} could not be started`, { cause });
  });
  return {
    program,
    pid: child.pid ?? 0,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function createEyes(env: NodeJS.ProcessEnv) {
  const options = { env, maxBuffer: MAX_OUTPUT_BYTES };
  const run = promisify(execFile);
  const ask = async (program: string, ...args: readonly string[]) => (await run(program, args, options)).stdout;
  const windows = async () =>
    // It fails when a window goes away while it looks; then it looks again.
    (
      await until('wmctrl lists the windows', () =>
        ask('wmctrl', '-l', '-p').then(
          (text) => ({ text }),
          () => null,
        ),
      )
    ).text
      .split('\n')
      .filter((line) => line !== '')
      .map(parsed);
  return {
    ask,
    windows,
    async activeWindow() {
      const id = Number(/window id # (0x[0-9a-f]+)/.exec(await ask('xprop', '-root', '_NET_ACTIVE_WINDOW'))?.[1]);
      return (await windows()).find((window) => Number(window.id) === id);
    },
    async area(windowId: string) {
      const text = await ask('xwininfo', '-id', windowId);
      const number = (label: string) => Number(new RegExp(`${label}:\\s+(-?\\d+)`).exec(text)?.[1]);
      const [x, y] = [number('Absolute upper-left X'), number('Absolute upper-left Y')];
      return { x, y, width: number('Width'), height: number('Height') };
    },
    async pixels() {
      const args = ['-silent', '-window', 'root', '-depth', '8', 'rgb:-'];
      return (await run('import', args, { ...options, encoding: 'buffer' })).stdout;
    },
  };
}

/** `0x02400007  0 1234   host the title` */
function parsed(line: string): RigWindow {
  const [id = '', _workspace, pid, _host, ...title] = line.split(/\s+/);
  return { id, pid: Number(pid), title: title.join(' ') };
}
