import { Variant } from 'dbus-native';
import { type Bus, BusLostError, openBus, sessionBusAddress } from './dbus.ts';
import type { Launch, LaunchResult } from './launched.ts';

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
