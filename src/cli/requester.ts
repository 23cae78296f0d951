import { hostname } from 'node:os';
import { type Failure, fetchAt, type Reply } from '../client/call.ts';
import { createRequesterClient, type RequesterClient } from '../client/requester-client.ts';
import type { DeviceRegistration } from '../contract/device.ts';
import { behindMachine } from '../contract/machine-rules.ts';
import { CommandError, EXIT, type ExitCode, type Invocation, textOf } from './command.ts';
import { baseOf } from './running.ts';

const DEFAULT_USER = 'cli';

export type Requester = { client: RequesterClient; base: string; userId: string };

/** The daemon, to be called under the user id of `--as`, of HANDRAIL_USER_ID, or as `cli`. */
export async function requesterOf(invocation: Invocation): Promise<Requester> {
  const { environment } = invocation.surroundings;
  const userId = textOf(invocation, 'as') || environment.HANDRAIL_USER_ID || DEFAULT_USER;
  const key = environment.HANDRAIL_USER_KEY;
  const base = await baseOf(invocation.surroundings);
  const client = createRequesterClient({ fetch: fetchAt(base), userId, ...(key ? { key } : {}) });
  return { client, base, userId };
}

/** The id of this computer for the user. The same registration again answers the same device. */
export async function ownDevice({ client }: Requester, platform: NodeJS.Platform): Promise<string> {
  const everything = {
    canOpenApps: true,
    canAccessFiles: true,
    canCaptureScreen: true,
    canRunScripts: true,
    canControlInput: true,
  };
  const registration: DeviceRegistration = {
    type: platform === 'darwin' ? 'macos' : 'linux',
    name: `${hostname().slice(0, 60) || 'This computer'} (command line)`,
    capabilities: everything,
  };
  return (await answered(client.registerDevice(registration))).deviceId;
}

/** The value of an answer. A refusal becomes an error with the exit code that says why. */
export async function answered<Value>(reply: Promise<Reply<Value>>): Promise<Value> {
  const answer = await reply;
  if (answer.ok) return answer.value;
  throw new CommandError(messageOf(answer.failure), exitCodeOfFailure(answer.failure));
}

function messageOf({ code, detail, errors = [] }: Failure): string {
  // The detail has the first fault, or all of them.
  const others = errors.slice(1).map(({ pointer, message }) => `${placeWords(pointer)} ${message}`);
  const untold = others.filter((words) => !detail.includes(words));
  return `${detail} (${code})${untold.map((words) => `\n  ${words}`).join('')}`;
}

function placeWords(pointer: string): string {
  return pointer.replace(/^\/parameters\/(?=[^/]+$)/u, 'the parameter ') || '/';
}

const CODES: Partial<Record<Failure['code'], ExitCode>> = {
  action_blocked: EXIT.denied,
  capability_missing: EXIT.denied,
  requester_paused: EXIT.denied,
  paused: EXIT.denied,
  confirmation_expired: EXIT.expired,
  unknown_action_type: EXIT.usage,
  parameters_invalid: EXIT.usage,
  validation_failed: EXIT.usage,
  task_graph_invalid: EXIT.usage,
  user_id_invalid: EXIT.usage,
  device_offline: EXIT.failed,
};

function exitCodeOfFailure({ code }: Failure): ExitCode {
  return CODES[code] ?? EXIT.other;
}

/** What a line begins with that is about another machine, by the device; nothing for this computer. */
export async function machineNames({ client }: Pick<Requester, 'client'>): Promise<(deviceId?: string) => string> {
  const devices = await client.devices();
  const names = new Map(devices.ok ? devices.value.items.map(({ id, machine }) => [id, machine]) : []);
  return (deviceId = '') => behindMachine(names.get(deviceId), '');
}
