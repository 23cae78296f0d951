import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { activateOverBus } from './dbus.ts';
import { commandOf, type DesktopEntry, isExecutable } from './desktop-entries.ts';
import type { Ending, Launch, LaunchResult } from './launched.ts';

/**
 * Starts an app that outlives this process: in a session of its own, without our files, input or output.
 * A program that cannot be started is a result, not an exception.
 */
export async function launch(request: Launch): Promise<LaunchResult> {
  const { entry, startupId, environment, address } = request;
  if (entry.exec === null) return activateOverBus(request);
  const command = await commandInTerminal(entry, { environment, address });
  if (typeof command === 'string') return { ok: false, reason: command };
  const [program, ...args] = command;
  try {
    const child = spawn(program, args, {
      detached: true,
      stdio: 'ignore',
      cwd: entry.workingDirectory ?? environment.HOME ?? '/',
      env: { ...appEnvironment(environment), DESKTOP_STARTUP_ID: startupId },
    });
    return await started(child);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function started(child: ChildProcess): Promise<LaunchResult> {
  let ending: Ending | null = null;
  child.on('exit', (exitCode, signal) => {
    ending = { exitCode, signal };
  });
  await once(child, 'spawn');
  child.unref();
  return { ok: true, launched: { pid: child.pid ?? 0, ending: () => ending } };
}

/** How terminals are told to run a command, the one the person chose first. */
const TERMINALS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['x-terminal-emulator', '-e'],
  ['xterm', '-e'],
  ['gnome-terminal', '--'],
  ['konsole', '-e'],
  ['xfce4-terminal', '-x'],
  ['mate-terminal', '-x'],
  ['lxterminal', '-e'],
  ['alacritty', '-e'],
  ['kitty'],
];

type Command = [program: string, ...args: string[]];

async function commandInTerminal(
  entry: DesktopEntry,
  { environment, address }: Pick<Launch, 'environment'> & { address: string | undefined },
): Promise<Command | string> {
  const command = commandOf(entry, address);
  if (command === null) return `its desktop entry has a command that cannot be read: ${JSON.stringify(entry.exec)}`;
  if (!entry.terminal) return command;
  for (const [terminal, ...args] of TERMINALS) {
    if (await isExecutable(terminal, environment)) return [terminal, ...args, ...command];
  }
  return 'it runs in a terminal, and no terminal is installed';
}

/** Removes what is not meant for apps: settings of Node, npm and Handrail, and the folders of npm and the bundled Node in PATH. */
export function appEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(NODE_|npm_|HANDRAIL_|ELECTRON_|VITEST|INIT_CWD$)/;
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)));
  const { PATH: path = '' } = kept;
  const ours = /node_modules\/(\.bin|npm\/|node-[a-z0-9-]+\/bin)|node-gyp-bin/;
  const folders = path.split(delimiter).filter((folder) => !ours.test(folder));
  return { ...kept, PATH: folders.join(delimiter) };
}
