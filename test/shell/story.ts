import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import type { Device, Permissions } from '../../src/contract/device.ts';
import type { ConsoleSession, Session } from '../../src/contract/session.ts';
import type { PermissionStep } from '../../src/contract/shell.ts';
import type { ShellCallName } from '../../src/contract/shell-calls.ts';
import { startShell } from '../../src/electron/shell.ts';
import type { Away } from '../../src/shell/mac-programs.ts';
import { BUNDLED_AGENT } from '../agent-host/bundled-agent.ts';
import { until } from '../desktop/processes.ts';
import { caller, linesOf } from './daemon-in-process.ts';
import { createFakeElectron, type FakeElectron, type FakeOptions } from './electron/surface.ts';
import type { FakeBrowserWindow } from './electron/windows.ts';

export type StoryOptions = FakeOptions & {
  /** A folder of an earlier run, for a start after it. */
  folder?: string;
  port?: number;
  permissions?: Partial<Permissions>;
  scenario?: object;
  words?: readonly string[];
  /** The answer of macOS about the screen when the app starts. */
  screenAtStart?: Away;
  /** Whether LaunchServices can start the app again; so by default. */
  isInAnApp?: boolean;
};

export type Story = Awaited<ReturnType<typeof begin>>;

/**
 * The app as it starts on a Mac, on a fake electron: the real daemon in this process, the real agent in a process of its own with a
 * desktop that writes down what is done to it.
 */
export async function begin(options: StoryOptions = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'handrail-story-'));
  const files = { ledger: join(folder, 'ledger'), permissions: join(folder, 'permissions.json') };
  const electron = createFakeElectron(options);
  const logged: string[] = [];
  let captureAttempts = 0;
  let relaunches = 0;
  const note = (...parts: unknown[]) => void logged.push(JSON.stringify(parts, errorsAsText));
  const setPermissions = (permissions: Partial<Permissions>) =>
    writeFileSync(files.permissions, JSON.stringify(permissions));
  setPermissions(options.permissions ?? {});
  const scenario = { ledgerPath: files.ledger, permissionsPath: files.permissions, ...options.scenario };
  const outcome = await startShell({
    electron: electron.surface,
    mac: {
      screenNow: async () => options.screenAtStart,
      async requestCapture() {
        captureAttempts += 1;
      },
      relaunch() {
        relaunches += 1;
        return options.isInAnApp ?? true;
      },
    },
    settings: {
      port: options.port ?? 0,
      dataDirectory: join(folder, 'daemon'),
      logLevel: 'silent',
      rateLimits: 'off',
      allowOsUsers: [],
    },
    log: { info: note, warn: note, error: note },
    environment: {
      PATH: process.env.PATH,
      HANDRAIL_AGENT_DRIVER: 'fake',
      HANDRAIL_FAKE_SCENARIO: JSON.stringify(scenario),
      SECRET_OF_THE_PERSON: 'must not reach the agent',
      __CFBundleIdentifier: 'dev.handrail.test',
    },
    platform: 'darwin',
    words: options.words ?? [],
    paths: {
      preload: '/app/preload.cjs',
      agent: BUNDLED_AGENT.file,
      trayImage: (state) => `/app/tray/${state}Template.png`,
    },
  });
  const base = () => new URL(electron.windows[0]?.url ?? 'http://none').origin;

  return {
    ...electron,
    outcome,
    folder,
    logged,
    captureAttempts: () => captureAttempts,
    relaunches: () => relaunches,
    setPermissions,
    ledger: () => linesOf(files.ledger),
    ...requester(base),
    ...person(electron, base),
    /** Ends the app from the menu of its icon, unless it has ended. */
    async end(): Promise<void> {
      if (outcome === 'serving' && electron.app.exitCode() === undefined) {
        electron.tray.choose('Quit');
        await electron.app.exited;
      }
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function errorsAsText(_name: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}

/** A program that asks for things over HTTP. */
function requester(base: () => string) {
  const asAnn = { 'x-user-id': 'ann' };
  let deviceId: string | undefined;
  const call = <Body>(path: string, headers: Record<string, string>, body?: unknown) =>
    caller(base())<Body>(path, headers, body);
  return {
    async submit(body: Pick<ActionSubmission, 'actionType' | 'parameters'>): Promise<Action> {
      deviceId ??= (
        await call<Device>('/api/tee/devices/register', asAnn, {
          type: 'macos',
          name: 'Desk',
          capabilities: { canCaptureScreen: true, canOpenApps: true },
        })
      ).id;
      return call<Action>(
        '/api/tee/actions',
        { ...asAnn, prefer: 'respond-async' },
        { targetDeviceId: deviceId, ...body },
      );
    },
    action: (actionId: string) => call<Action>(`/api/tee/actions/${actionId}`, asAnn),
    /** Waits for the end of an action. */
    ended: (actionId: string) =>
      until(`${actionId} has ended`, async () => {
        const action = await call<Action>(`/api/tee/actions/${actionId}`, asAnn);
        return ['success', 'failed', 'cancelled', 'denied', 'expired'].includes(action.status) && action;
      }),
    call,
  };
}

/** The person: what the page in a window of ours does for them. */
function person(electron: FakeElectron, base: () => string) {
  const keys = new Map<FakeBrowserWindow, string>();
  const shellCall = <Answer>(window: FakeBrowserWindow | undefined, name: ShellCallName, request: unknown = {}) => {
    if (window === undefined) throw new Error('There is no such window.');
    return electron.ipc.fromPage(window, name, request) as Promise<Answer>;
  };
  async function asPerson(window = electron.dashboard() ?? electron.panel()): Promise<Record<string, string>> {
    if (window === undefined) throw new Error('There is no window to be at.');
    const key = keys.get(window) ?? (await shellCall<Session>(window, 'signIn')).key;
    keys.set(window, key);
    return { authorization: `Bearer ${key}` };
  }
  const http = async <Body>(path: string, body?: unknown) =>
    caller(base())<Body>(`/api/console${path}`, await asPerson(), body);
  return {
    shellCall,
    http,
    asPerson,
    sessions: async () => (await http<{ items: ConsoleSession[] }>('/sessions')).items,
    prompts: async () => (await http<{ items: Confirmation[] }>('/confirmations')).items,
    permissionSteps: async () =>
      (await shellCall<{ steps: PermissionStep[] }>(electron.dashboard(), 'permissions')).steps,
    /** Looks at a prompt until it can be answered. */
    async read({ id }: Confirmation): Promise<void> {
      const { answerableAt } = await http<Confirmation>(`/confirmations/${id}/shown`, null);
      await until('the prompt can be answered', () => Date.now() >= Date.parse(String(answerableAt)));
    },
    answer: <Body = Action>({ id, nonce, actionDigest }: Confirmation, decision: object) =>
      http<Body>(`/confirmations/${id}/decision`, { scope: 'once', nonce, actionDigest, ...decision }),
  };
}

/** Waits until the agent is online, as the page sees it. */
export async function whenReady(story: Story): Promise<Story> {
  await until('the agent is online', async () => (await story.http<{ agent: string }>('/status')).agent === 'online');
  return story;
}
