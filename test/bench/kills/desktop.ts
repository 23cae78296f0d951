import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Action } from '../../../src/contract/action.ts';
import { until } from '../../desktop/processes.ts';
import { AGENT_ENTRY, type Console, childOf, type RunningDaemon, startDaemonProcess } from '../../e2e/daemon.ts';
import { PATIENCE_MS } from '../agent-online.ts';

/** A daemon with a private desktop of its own, as on a machine that shows none. */
export type PrivateDesktop = {
  daemon: RunningDaemon;
  person: Console;
  deviceId: string;
  /** The X server: a child of the daemon. */
  serverPid(): number | undefined;
  /** The folder of the desktop, which is new for each. */
  folder(): string;
  /** Runs a program on the desktop and answers what it prints. */
  ask(program: string, ...args: readonly string[]): Promise<string>;
  /** Starts a program on the desktop, which ends with it. */
  launch(program: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null>;
  /** Submits an action, allows it where it asks, and answers it as it stands then. */
  begin(actionType: string, parameters: Record<string, unknown>): Promise<Action>;
  ended(action: Pick<Action, 'actionId'>): Promise<Action>;
  /** Until an agent works on a desktop. On a busy machine it may not say hello in its time; the person then starts it again. */
  agentBack(): Promise<void>;
};

const OF_DESKTOP = /^(DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|GSETTINGS_BACKEND|GIO_USE_VFS)=/u;
const MOST_OUTPUT = 64 * 1024 * 1024;

export async function startPrivateDesktop(): Promise<PrivateDesktop> {
  const daemon = await startDaemonProcess({ HANDRAIL_RATE_LIMITS: 'off' });
  const person = await daemon.signIn();
  const headers = { origin: daemon.base, authorization: `Bearer ${person.key}` };
  await daemon.call('/api/console/users/ann/profile', { method: 'PUT', headers, body: { profile: 'trusted' } });
  const { id: deviceId } = await daemon.register();
  let environment: Record<string, string> = {};

  async function agentBack(): Promise<void> {
    const isBack = async () => {
      const { agent } = (await daemon.health()).body.checks;
      if (agent === 'offline') await daemon.call('/api/console/agent/restart', { method: 'POST', headers });
      // The daemon may not have noticed yet that the former one is gone.
      return agent === 'online' && childOf(daemon.pid, AGENT_ENTRY);
    };
    const pid = await until('the agent is online', isBack, PATIENCE_MS);
    const own = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const ofDesktop = own.filter((each) => OF_DESKTOP.test(each)).map((each) => each.split(/=(.*)/su).slice(0, 2));
    environment = Object.fromEntries(ofDesktop);
  }

  async function ended({ actionId }: Pick<Action, 'actionId'>): Promise<Action> {
    const isEnded = async () => {
      const { body } = await daemon.call<Action>(`/api/tee/actions/${actionId}`, { userId: 'ann' });
      return body.finishedAt !== undefined && body;
    };
    return until('the action has ended', isEnded, PATIENCE_MS);
  }

  await agentBack();
  return {
    daemon,
    person,
    deviceId,
    serverPid: () => childOf(daemon.pid, /^Xvfb /u),
    folder: () => environment.XDG_RUNTIME_DIR ?? '',
    async ask(program, ...args) {
      const options = { env: { ...process.env, ...environment }, maxBuffer: MOST_OUTPUT };
      return (await promisify(execFile)(program, args, options)).stdout;
    },
    launch: (program, args) =>
      spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] }),
    async begin(actionType, parameters) {
      const body = { targetDeviceId: deviceId, actionType, parameters };
      const { status, body: action } = await daemon.submit(body, { headers: { prefer: 'wait=0' } });
      if (status >= 300) throw new Error(`${actionType} was refused with ${status}: ${JSON.stringify(action)}`);
      if (action.status === 'awaiting_confirmation') await person.answer('allow');
      return action;
    },
    ended,
    agentBack,
  };
}
