import type { Device, DeviceRegistration, Platform } from '../contract/device.ts';
import type { MachineState } from '../contract/machine.ts';
import { LOCAL } from '../contract/machine-rules.ts';
import type { DeviceRow } from '../store/records/devices.ts';
import type { CallsOff } from './call-off.ts';
import type { MachineHost } from './console/machines.ts';
import type { Context } from './context.ts';
import type { MachineAgents } from './machines/agents.ts';
import type { Refusal } from './refusal.ts';
import type { DeviceService } from './requester-services.ts';
import { timestamp } from './steady-clock.ts';
import { readPage } from './work/pages.ts';

type Parts = {
  agents: MachineAgents;
  /** The expected platform of the agent of this machine, until its hello. */
  platform: Platform | undefined;
  machineHost: Pick<MachineHost, 'state'>;
};

export type DevicesOfAll = {
  row(userId: string, deviceId: string): DeviceRow | Refusal;
  /** Everybody's, newest first. */
  all(): Device[];
  /** As `remove`, for a device of any requester. */
  removeByPerson(deviceId: string): undefined | Refusal;
};

/** Registered devices. Each is one of the person's machines, and is served by its agent. */
export function createDeviceService(
  context: Context,
  parts: Parts & { callOffs: CallsOff },
): DeviceService & DevicesOfAll {
  const { store, clock } = context;
  const view = (row: DeviceRow) => viewDevice(row, parts);

  function row(userId: string, deviceId: string): DeviceRow | Refusal {
    return store.devices.find(userId, deviceId) ?? notFound(deviceId);
  }

  /** Removes a device and calls off its unfinished actions. `by` is for the journal. */
  function removeRow({ id: deviceId, ownerId: userId }: DeviceRow, metadata: { by?: 'person' }): undefined {
    const callOff = parts.callOffs.prepare({ because: 'device_removed', deviceId });
    store.write('durable', () => {
      store.devices.remove(deviceId, clock.nowMs());
      store.journal.append(clock.nowMs(), { kind: 'device.removed', userId, deviceId, metadata });
      callOff.note();
    });
    callOff.begin();
  }

  return {
    row,
    all: () => store.devices.all(500).map(view),
    refusalFor: (registration) => refusalOf(context, registration, parts),
    register(userId, { machine = LOCAL, ...rest }) {
      const registration = { ...rest, machine };
      const known = store.devices.findSame({ ownerId: userId, ...registration });
      if (known !== undefined) return { created: false, device: view(known) };
      return { created: true, device: view(registerNew(context, userId, registration)) };
    },
    list: (userId, page) =>
      readPage(context, page, { read: (beforeId, limit) => store.devices.page(userId, beforeId, limit), view }),
    get(userId, deviceId) {
      const found = row(userId, deviceId);
      return 'refused' in found ? found : view(found);
    },
    remove(userId, deviceId) {
      const found = row(userId, deviceId);
      return 'refused' in found ? found : removeRow(found, {});
    },
    removeByPerson(deviceId) {
      const found = store.devices.findById(deviceId) ?? notFound(deviceId);
      return 'refused' in found ? found : removeRow(found, { by: 'person' });
    },
  };
}

function notFound(deviceId: string): Refusal {
  return {
    refused: 'device_not_found',
    detail: `No device ${deviceId} is registered for this user.`,
    see: 'devices',
  };
}

type Registration = DeviceRegistration & { machine: string };

function registerNew({ store, clock, newId }: Context, ownerId: string, registration: Registration): DeviceRow {
  const row: DeviceRow = { id: newId('dev'), ownerId, ...registration, createdAtMs: clock.nowMs() };
  store.write('durable', () => {
    store.users.see(ownerId, row.createdAtMs);
    store.devices.insert(row);
    store.journal.append(row.createdAtMs, {
      kind: 'device.registered',
      userId: ownerId,
      deviceId: row.id,
      metadata: {
        type: row.type,
        capabilities: Object.entries(row.capabilities).map(([name, value]) => `${name}=${value}`),
      },
    });
  });
  return row;
}

/** Why nothing can be registered so, if so. */
function refusalOf(
  { store }: Context,
  { type, machine = LOCAL }: DeviceRegistration,
  parts: Parts,
): Refusal | undefined {
  const machines = store.machines.list().map(({ name }) => name);
  if (machine !== LOCAL && !machines.includes(machine)) {
    const known = [LOCAL, ...machines];
    const detail = `There is no machine "${machine}". The known ones are ${known.join(', ')}; the person adds others at the dashboard.`;
    return { refused: 'machine_unknown', detail, errors: [{ pointer: '/machine', message: detail }] };
  }
  const platform = platformOf(machine, parts);
  if (!PLATFORM_NAMES.has(type) || platform === undefined || platform === 'fake' || platform === type) return undefined;
  const detail = `The machine "${machine}" is ${platform}, not ${type}. Register the device as ${platform}, or under a word of your own.`;
  return { refused: 'device_type_mismatch', detail, errors: [{ pointer: '/type', message: detail }] };
}

/** The platform of a machine, while it is known. */
function platformOf(machine: string, { agents, platform }: Parts): Platform | undefined {
  return agents.on(machine).port.agent()?.platform ?? (machine === LOCAL ? platform : undefined);
}

function viewDevice(row: DeviceRow, parts: Parts): Device {
  const { machine } = row;
  const { port, seenAtMs } = parts.agents.on(machine);
  const agent = port.agent();
  return {
    id: row.id,
    deviceId: row.id,
    type: row.type,
    name: row.name,
    capabilities: row.capabilities,
    ownerId: row.ownerId,
    machine,
    ...stateOf(parts.machineHost.state(machine)),
    platform: platformOf(machine, parts) ?? null,
    agent,
    warnings: warningsOf(row.type),
    createdAt: timestamp(row.createdAtMs),
    lastSeenAt: timestamp(Math.max(row.createdAtMs, seenAtMs() ?? 0)),
  };
}

/** The reason may name addresses, and has words of the other machine: the person reads it with the machine. */
function stateOf({ reason, ...state }: MachineState): MachineState {
  return reason === undefined ? state : { ...state, reason: 'the person sees why on the page Devices' };
}

/** Words that name a platform. */
const PLATFORM_NAMES = new Set(['macos', 'linux', 'windows']);

function warningsOf(type: string): string[] {
  return PLATFORM_NAMES.has(type)
    ? []
    : [`The type "${type}" is not one Handrail knows (macos, linux); it is kept as it is.`];
}
