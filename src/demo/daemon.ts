import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { missingNeeds } from '../agent-host/virtual-desktop/programs.ts';
import { VIRTUAL_DESKTOP_NEEDS } from '../agent-host/virtual-desktop/virtual-desktop.ts';
import { fetchAt } from '../client/call.ts';
import { createRequesterClient } from '../client/requester-client.ts';
import { assetPath } from '../launch/assets.ts';

/** Where the actions of the demo happen. */
export type DemoDesktop = 'own virtual desktop' | 'simulated desktop';

export type DemoDaemon = {
  base: string;
  code: string;
  dataDirectory: string;
  desktop: DemoDesktop;
  /** Resolves when the daemon has ended. */
  ended: Promise<void>;
  /** Ends the daemon and removes its data. */
  stop(): Promise<void>;
};

const READY_LINES = 3;
const LONGEST_START_MS = 60_000;
const ROOT = dirname(assetPath('manifest'));

/**
 * Starts a daemon of its own: a free port, a temporary data directory, and a desktop that nobody else sees. It is a virtual one on
 * Linux. Elsewhere, and where the programs for that are missing, it is simulated, because a demo must not act on the person's own desktop.
 */
export async function startDemoDaemon(environment: NodeJS.ProcessEnv): Promise<DemoDaemon> {
  const desktop = desktopFor(environment);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-demo-'));
  const child = spawn(process.execPath, ['src/daemon/headless.ts'], {
    cwd: ROOT,
    env: environmentFor(environment, { desktop, dataDirectory }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in the terminal is for the demo, which ends its daemon in order.
    detached: true,
  });
  const log = tailOf(child);
  const ended = once(child, 'exit').then(() => undefined);
  const [listening = '', , code = ''] = await Promise.race([firstLines(child), ended.then(() => failed(log()))]);
  const base = listening.replace('handrail listening on ', '');
  await agentIsOnline(base);
  return {
    base,
    code: code.replace('code ', ''),
    dataDirectory,
    desktop,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function desktopFor(environment: NodeJS.ProcessEnv): DemoDesktop {
  if (environment.HANDRAIL_AGENT_DRIVER === 'fake' || process.platform !== 'linux') return 'simulated desktop';
  return missingNeeds(VIRTUAL_DESKTOP_NEEDS, environment.PATH ?? '').length === 0
    ? 'own virtual desktop'
    : 'simulated desktop';
}

/** Without a display of the person's, the daemon starts a virtual desktop for its agent. */
function environmentFor(
  { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, HANDRAIL_AGENT_DRIVER, ...rest }: NodeJS.ProcessEnv,
  { desktop, dataDirectory }: { desktop: DemoDesktop; dataDirectory: string },
): NodeJS.ProcessEnv {
  return {
    ...rest,
    HANDRAIL_PORT: '0',
    HANDRAIL_DATA_DIR: dataDirectory,
    ...(desktop === 'simulated desktop' && { HANDRAIL_AGENT_DRIVER: 'fake' }),
  };
}

function firstLines(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (lines.length === READY_LINES) resolve(lines);
    });
  });
}

function tailOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2_000);
  });
  return () => tail;
}

/** On a slow machine the desktop and the agent take some seconds. Without them the story goes on, and each answer says so. */
async function agentIsOnline(base: string): Promise<void> {
  const client = createRequesterClient({ fetch: fetchAt(base), userId: 'demo' });
  for (let waitedMs = 0; waitedMs < LONGEST_START_MS; waitedMs += 250) {
    const health = await client.health();
    if (health.ok && health.value.checks.agent === 'online') return;
    await sleep(250);
  }
}

function failed(log: string): never {
  throw new Error(`The daemon of the demo ended before it was ready: ${log}`);
}
