import { once } from 'node:events';
import { createClient, type Message, type MessageBus, Variant } from 'dbus-native';
import type { Launch, LaunchResult } from './launched.ts';

/** The bus could not be reached, or its connection broke. */
export class BusLostError extends Error {
  override name = 'BusLostError';
}

export type BusCall = {
  destination: string;
  path: string;
  interface: string;
  member: string;
  signature?: string;
  body?: unknown[];
};

/** One connection to a message bus. Calls are sent at once, so asking many together costs little more than one. */
export type Bus = {
  /** The values of the reply; `null` when the other side answered with an error, or not within `timeoutMs`. */
  ask(call: BusCall, timeoutMs: number): Promise<readonly unknown[] | null>;
  /** Calls back for each signal that comes, until it is told to stop. */
  onSignal(listener: (signal: Signal) => void): () => void;
  isLost(): boolean;
  close(): Promise<void>;
};

type Signal = { sender: string; path: string; interface: string; member: string; body: readonly unknown[] };

const SIGNAL = 4;
const CONNECT_TIMEOUT_MS = 2_000;

/** Connects to the bus at a D-Bus address. Rejects with BusLostError. */
export async function openBus(address: string): Promise<Bus> {
  const client = dial(address);
  let lost = false;
  client.connection.on('error', () => {
    lost = true;
    client.connection.stream.destroy();
  });
  client.connection.on('close', () => {
    lost = true;
  });
  const bus: Bus = {
    ask: (call, timeoutMs) => ask(client, call, timeoutMs),
    onSignal(listener) {
      const heard = ({ type, sender = '', path = '', interface: name = '', member = '', body = [] }: Message) => {
        if (type === SIGNAL) listener({ sender, path, interface: name, member, body });
      };
      client.connection.on('message', heard);
      return () => client.connection.off('message', heard);
    },
    isLost: () => lost,
    async close() {
      const closed = lost ? null : once(client.connection, 'close');
      lost = true;
      client.connection.stream.destroy();
      await closed;
    },
  };
  await introduce(bus, address);
  return bus;
}

/** Where the session bus is: as the environment says, or where a systemd session keeps it. */
export function sessionBusAddress(environment: NodeJS.ProcessEnv): string | null {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtimeFolder } = environment;
  if (address !== undefined && address !== '') return address;
  return runtimeFolder === undefined || runtimeFolder === '' ? null : `unix:path=${runtimeFolder}/bus`;
}

/** `direct` leaves the greeting to us: the package throws where nobody can catch it when a bus does not greet back. */
function dial(address: string): MessageBus {
  try {
    return createClient({ busAddress: address, direct: true });
  } catch (error) {
    throw new BusLostError(`The bus address ${address} cannot be used.`, { cause: error });
  }
}

async function introduce(bus: Bus, address: string): Promise<void> {
  const names = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
  const greeting = await bus.ask({ ...names, interface: 'org.freedesktop.DBus', member: 'Hello' }, CONNECT_TIMEOUT_MS);
  if (greeting !== null) return;
  await bus.close();
  throw new BusLostError(`The bus at ${address} does not answer.`);
}

function ask(client: MessageBus, call: BusCall, timeoutMs: number): Promise<readonly unknown[] | null> {
  return new Promise((resolve, reject) => {
    client.invoke({ ...call }, { timeout: Math.max(1, timeoutMs) }, (error, ...values: unknown[]) => {
      if (error === null || error === undefined) return resolve(values);
      if ('code' in error && error.code === 'ECONNCLOSED') {
        return reject(new BusLostError('The connection to the bus was lost.', { cause: error }));
      }
      resolve(null);
    });
  });
}

const ACTIVATION_TIMEOUT_MS = 10_000;

/** Starts an app that only D-Bus can start, through its interface org.freedesktop.Application. */
export async function activateOverBus(launch: Launch): Promise<LaunchResult> {
  const address = sessionBusAddress(launch.environment);
  if (address === null) return { ok: false, reason: 'it is started over D-Bus, and there is no session bus' };
  try {
    const bus = await openBus(address);
    try {
      return await activate(bus, launch);
    } finally {
      await bus.close();
    }
  } catch (error) {
    if (error instanceof BusLostError) return { ok: false, reason: error.message };
    throw error;
  }
}

async function activate(bus: Bus, { entry: { id }, startupId }: Launch): Promise<LaunchResult> {
  const activation = {
    destination: id,
    path: `/${id.replaceAll('.', '/').replaceAll('-', '_')}`,
    interface: 'org.freedesktop.Application',
    member: 'Activate',
    signature: 'a{sv}',
    body: [[['desktop-startup-id', new Variant('s', startupId)]]],
  };
  const answer = await bus.ask(activation, ACTIVATION_TIMEOUT_MS);
  if (answer === null) return { ok: false, reason: `it did not answer on D-Bus as ${id}` };
  const pid = await processOf(bus, id);
  return pid === null
    ? { ok: false, reason: `it left D-Bus at once (${id})` }
    : { ok: true, launched: { pid, ending: () => null } };
}

/** The process that holds a name on a bus. */
export async function processOf(bus: Bus, name: string): Promise<number | null> {
  const question = {
    destination: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
    member: 'GetConnectionUnixProcessID',
    signature: 's',
    body: [name],
  };
  const [pid] = (await bus.ask(question, ACTIVATION_TIMEOUT_MS)) ?? [];
  return typeof pid === 'number' ? pid : null;
}
