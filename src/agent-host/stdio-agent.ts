import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALIVE } from '../contract/machine-rules.ts';
import { assetPath } from '../launch/assets.ts';
import type { Log } from '../services/context.ts';
import { AGENT_FLAGS, agentEnvironment } from './process.ts';
import { createAgentDesktop } from './virtual-desktop/agent-desktop.ts';

/** The exit code of a program that a signal ended, as a shell tells it. */
const SIGNALLED = 128;

type StdioAgent = {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  log: Log;
  /** Aborts when the agent is to end. */
  stopped: AbortSignal;
  /** Fails where a person of this account rules who has not let other computers act here. */
  expectLeave(): Promise<void>;
  /** How often that is asked again while the agent runs. */
  askEveryMs?: number;
};

const ASK_EVERY_MS = 1_000;

/** Runs the agent on standard input and output of this process. Answers its exit code. Without leave it ends in good order, and this fails. */
export async function runStdioAgent(options: StdioAgent): Promise<number> {
  const { environment, platform, log, stopped } = options;
  const ending = new AbortController();
  const desktop = createAgentDesktop({ platform, environment, log, broken: () => ending.abort() });
  const ofDesktop = await desktop.environment();
  const child = spawn(process.execPath, [...AGENT_FLAGS, assetPath('agent-stdio')], {
    env: agentEnvironment(environment, ofDesktop),
    // The agent says on the channel that it lives, and learns by its end that this process has ended.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  endWhenSilent(child);
  const end = () => void child.kill('SIGTERM');
  for (const signal of [stopped, ending.signal]) {
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  }
  const leave = keepAsking(options, ended);
  leave.catch(end);
  const [code, signal]: (number | NodeJS.Signals | null)[] = await ended;
  await desktop.close();
  await leave;
  if (typeof code === 'number') return code;
  return SIGNALLED + (typeof signal === 'string' ? constants.signals[signal] : 0);
}

/** An agent that stands still keeps keys down until it ends; it counts from its first word. */
function endWhenSilent(child: ChildProcess): void {
  let silence: NodeJS.Timeout | undefined;
  child.on('message', () => {
    clearTimeout(silence);
    silence = setTimeout(() => void child.kill('SIGKILL'), ALIVE.silentMs);
  });
  child.once('exit', () => clearTimeout(silence));
}

/** Resolves with the end of the agent, and fails with the leave. */
async function keepAsking({ expectLeave, askEveryMs = ASK_EVERY_MS }: StdioAgent, ended: Promise<unknown>) {
  const pause = new AbortController();
  void ended.then(() => pause.abort());
  // guard N55-9
  while (!pause.signal.aborted) {
    await expectLeave();
    await sleep(askEveryMs, undefined, { signal: pause.signal }).catch(() => undefined);
  }
}

type Account = {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
  uid: number;
  /** The folders of the system, for tests. */
  folders?: { displays: string; runtime: string };
};

const FOLDERS = { displays: '/tmp/.X11-unix', runtime: '/run/user' };

/** The X displays of this account, such as `:0`. */
export function displaysOf({ uid, folders = FOLDERS }: Pick<Account, 'uid' | 'folders'>): string[] {
  return namesIn(folders.displays)
    .filter((name) => /^X\d+$/.test(name))
    .filter((name) => statSync(join(folders.displays, name), { throwIfNoEntry: false })?.uid === uid)
    .map((name) => `:${name.slice(1)}`)
    .sort();
}

/** The environment with what a program needs to find the desktop of its account, which a login over `ssh` does not get. */
export function withDesktop(account: Account, display: string | undefined): NodeJS.ProcessEnv {
  const { environment, platform, home, uid, folders = FOLDERS } = account;
  if (platform !== 'linux') return environment;
  const runtime = environment.XDG_RUNTIME_DIR ?? join(folders.runtime, String(uid));
  const usual: [name: string, value: string, file: string][] = [
    ['XDG_RUNTIME_DIR', runtime, runtime],
    ['DBUS_SESSION_BUS_ADDRESS', `unix:path=${join(runtime, 'bus')}`, join(runtime, 'bus')],
    ['XAUTHORITY', join(runtime, 'gdm/Xauthority'), join(runtime, 'gdm/Xauthority')],
    ['XAUTHORITY', join(home, '.Xauthority'), join(home, '.Xauthority')],
  ];
  const found = usual.filter(([, , file]) => existsSync(file)).map(([name, value]) => [name, value]);
  return { ...Object.fromEntries(found), ...environment, ...(display !== undefined && { DISPLAY: display }) };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none where no X server runs.
    return [];
  }
}
