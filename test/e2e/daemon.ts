import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import type { Device } from '../../src/contract/device.ts';
import type { Health } from '../../src/contract/health.ts';
import { FEW_HEAPS } from '../../src/launch/launch.cjs';
import { until } from '../desktop/processes.ts';

const root = join(import.meta.dirname, '../..');

/** The daemon's process as `npm start` makes it, without the launcher in front of it. */
export const START: readonly string[] = [process.execPath, ...argumentsOfStart()];

/** From its sources, or from a bundle. */
export const AGENT_ENTRY = /\/(agent\/main\.ts|agent\.js)/;

export type Answer<Body> = { status: number; headers: Headers; body: Body };

/** A daemon as users run it: a process of its own, on a free port, with a data directory of its own. */
export type RunningDaemon = {
  pid: number;
  base: string;
  port: number;
  dataDirectory: string;
  /** The four lines it prints when it is ready. */
  readyLines: string[];
  signInCode: string;
  /** What it has written to standard error so far. */
  log(): string;
  health(): Promise<Answer<Health>>;
  call<Body>(path: string, options?: CallOptions): Promise<Answer<Body>>;
  register(capabilities?: Device['capabilities'], userId?: string): Promise<Device>;
  submit(
    body: ActionSubmission,
    options?: { userId?: string; headers?: Record<string, string> },
  ): Promise<Answer<Action>>;
  /** Signs in with the printed code; later calls use the session. */
  signIn(): Promise<Console>;
  agentOnline(patienceMs?: number): Promise<void>;
  /** An action of a requester, when it has ended. */
  ended(action: Pick<Action, 'actionId'>, userId?: string): Promise<Action>;
  /** The process id of its agent, found from outside. */
  agentPid(): Promise<number>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
};

export type CallOptions = { method?: string; userId?: string; body?: unknown; headers?: Record<string, string> };

export type Console = {
  key: string;
  headers: { origin: string; authorization: string };
  /** Calls a route of the dashboard, such as `/grants`. */
  call<Body>(path: string, options?: CallOptions): Promise<Answer<Body>>;
  /** A code that signs in another page. */
  newCode(): Promise<string>;
  /** Every prompt that waits, whole. */
  prompts(): Promise<Confirmation[]>;
  /** Answers the only prompt as a person would: shown, looked at, the button held where that is needed, answered. */
  answer(decision: 'allow' | 'deny'): Promise<Answer<Action>>;
};

export const EVERYTHING = {
  canOpenApps: true,
  canAccessFiles: true,
  canCaptureScreen: true,
  canRunScripts: true,
  canControlInput: true,
};

/** Starts what `npm start` starts and resolves when it has printed its four lines. `environment` is laid over a clean one. */
export function startDaemonProcess(
  environment: Record<string, string> = {},
  dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-e2e-')),
): Promise<RunningDaemon> {
  return startDaemonWith({ command: START, environment, dataDirectory });
}

/** Those the launcher passes to Node once the daemon is bundled, which the set-up of these tests does. */
function argumentsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words = String(scripts.start).split(' ');
  const ofDaemon = words.slice(words.findIndex((word) => word.startsWith('--after=')) + 1);
  return ofDaemon.map((word) => word.split(',')[0] ?? word);
}

type Start = { command: readonly string[]; environment: Record<string, string>; dataDirectory: string };

/** The same with a command that starts a daemon in another way. */
export async function startDaemonWith({ command, environment, dataDirectory }: Start): Promise<RunningDaemon> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANG: 'C.UTF-8',
      ...FEW_HEAPS,
      HANDRAIL_PORT: '0',
      HANDRAIL_DATA_DIR: dataDirectory,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const readyLines = await Promise.race([
    output.firstLines(4),
    exited.then((end) => failedToStart(end, output.errors())),
  ]);
  const base = String(readyLines[0]).replace('handrail listening on ', '');
  return assemble({ child, exited, output, readyLines, base, dataDirectory });
}

type Parts = {
  child: ChildProcess;
  exited: RunningDaemon['exited'];
  output: ReturnType<typeof collect>;
  readyLines: string[];
  base: string;
  dataDirectory: string;
};

function assemble({ child, exited, output, readyLines, base, dataDirectory }: Parts): RunningDaemon {
  const signInCode = String(readyLines[2]?.replace('code ', ''));
  const call: RunningDaemon['call'] = (path, options) => callAt(base, path, options);
  return {
    pid: child.pid ?? 0,
    base,
    port: Number(new URL(base).port),
    dataDirectory,
    readyLines,
    signInCode,
    log: output.errors,
    health: () => call('/health'),
    call,
    async register(capabilities = EVERYTHING, userId = 'ann') {
      const body = { type: 'linux', name: 'Desk', capabilities };
      return (await call<Device>('/api/tee/devices/register', { userId, body })).body;
    },
    submit: (body, { userId = 'ann', headers = {} } = {}) => call('/api/tee/actions', { userId, body, headers }),
    signIn: () => signIn(call, base, signInCode),
    async agentOnline(patienceMs) {
      const isOnline = async () => (await call<Health>('/health')).body.checks.agent === 'online';
      await until('the agent is online', isOnline, patienceMs);
    },
    ended: ({ actionId }, userId = 'ann') =>
      until('the action ends', async () => {
        const { body } = await call<Action>(`/api/tee/actions/${actionId}`, { userId });
        return body.finishedAt === undefined ? undefined : body;
      }),
    agentPid: () => until('the daemon has an agent', () => childOf(child.pid ?? 0, AGENT_ENTRY)),
    exited,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Speaks to whatever listens at an address. */
export async function callAt<Body>(base: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
  const { method = options.body === undefined ? 'GET' : 'POST', userId, body, headers = {} } = options;
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(userId === undefined ? {} : { 'x-user-id': userId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const content = isJson ? await response.json() : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body: content as Body };
}

/** Signs in with a printed code. */
export async function signIn(call: RunningDaemon['call'], base: string, code: string): Promise<Console> {
  const session = await call<{ key: string }>('/api/console/session', { body: { code }, headers: { origin: base } });
  const { key } = session.body;
  const headers = { origin: base, authorization: `Bearer ${key}` };
  const callConsole: Console['call'] = (path, options) => call(`/api/console${path}`, { ...options, headers });
  const prompts = async () => {
    const { items } = (await call<{ items: { id: string }[] }>('/api/console/confirmations', { headers })).body;
    const whole = items.map(({ id }) => call<Confirmation>(`/api/console/confirmations/${id}`, { headers }));
    const answers = await Promise.all(whole);
    // One that ended since the list was read is no prompt any longer.
    return answers.filter(({ status }) => status === 200).map(({ body }) => body);
  };
  return {
    key,
    headers,
    call: callConsole,
    newCode: async () => (await callConsole<{ code: string }>('/session/code', { method: 'POST' })).body.code,
    prompts,
    async answer(decision) {
      const [prompt] = await until('a prompt waits', async () => {
        const waiting = await prompts();
        return waiting.length > 0 ? waiting : undefined;
      });
      if (prompt === undefined) throw new Error('there is no prompt to answer');
      const path = `/api/console/confirmations/${prompt.id}`;
      const shown = await call<Confirmation>(`${path}/shown`, { method: 'POST', headers });
      const answerableAtMs = Date.parse(String(shown.body.answerableAt));
      await until('the prompt can be answered', async () => Date.now() >= answerableAtMs || undefined);
      if (prompt.presenceRequired && decision === 'allow')
        await holdButton((phase) => call(`${path}/hold`, { headers, body: { phase } }));
      const { nonce, actionDigest } = prompt;
      return call<Action>(`${path}/decision`, { headers, body: { decision, scope: 'once', nonce, actionDigest } });
    },
  };
}

const HOLD_MS = 1_050;

async function holdButton(report: (phase: 'press' | 'release') => Promise<unknown>): Promise<void> {
  await report('press');
  const endsAtMs = performance.now() + HOLD_MS;
  await until('the button was held', async () => (performance.now() >= endsAtMs ? true : undefined));
  await report('release');
}

function collect(child: ChildProcess) {
  const lines: string[] = [];
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const reader = child.stdout === null ? undefined : createInterface({ input: child.stdout });
  reader?.on('line', (line) => lines.push(line));
  return {
    errors: () => errors,
    firstLines: (count: number) =>
      new Promise<string[]>((resolve) =>
        reader?.on('line', () => lines.length >= count && resolve(lines.slice(0, count))),
      ),
  };
}

function failedToStart(end: { code: number | null }, errors: string): never {
  throw new Error(`the daemon ended with code ${end.code} before it was ready: ${errors}`);
}

/** The child of a process whose command line holds a text, as the system has it. A program such as `ps` would read of every process. */
export function childOf(parentPid: number, command: RegExp): number | undefined {
  const threads = `/proc/${parentPid}/task`;
  return namesIn(threads)
    .flatMap((thread) => textOf(`${threads}/${thread}/children`).split(' ').filter(Boolean).map(Number))
    .find((pid) => command.test(textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Nothing where the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether a process of this id is there and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
