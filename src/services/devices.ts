import type { Device, DeviceRegistration, Platform } from '../contract/device.ts';
import type { DeviceRow } from '../store/records/devices.ts';
import type { AgentPort } from './agent/port.ts';
import type { CallsOff } from './call-off.ts';
import type { Context } from './context.ts';
import type { Refusal } from './refusal.ts';
import type { DeviceService } from './requester-services.ts';
import { timestamp } from './timestamps.ts';
import { readPage } from './work/pages.ts';

type Parts = {
  port: AgentPort;
  /** The expected platform of the agent, until its hello. */
  platform: Platform | undefined;
  lastSeenAtMs(): number | undefined;
};

export type DevicesOfAll = {
  row(userId: string, deviceId: string): DeviceRow | Refusal;
  /** Everybody's, newest first. */
  all(): Device[];
  /** As `remove`, for a device of any requester. */
  removeByPerson(deviceId: string): undefined | Refusal;
};

/** Registered devices. All of them are served by the one agent built into this daemon. */
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
    register(userId, registration) {
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

function registerNew({ store, clock, newId }: Context, ownerId: string, registration: DeviceRegistration): DeviceRow {
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

function viewDevice(row: DeviceRow, parts: Parts): Device {
  const agent = parts.port.agent();
  const warning = warningOf(row.type, agent?.platform ?? parts.platform);
  return {
    id: row.id,
    deviceId: row.id,
    type: row.type,
    name: row.name,
    capabilities: row.capabilities,
    ownerId: row.ownerId,
    status: parts.port.status() === 'online' ? 'online' : 'offline',
    agent,
    warnings: warning === undefined ? [] : [warning],
    createdAt: timestamp(row.createdAtMs),
    lastSeenAt: timestamp(Math.max(row.createdAtMs, parts.lastSeenAtMs() ?? 0)),
  };
}

const KNOWN_TYPES = new Set(['macos', 'linux']);

function warningOf(type: string, platform: string | undefined): string | undefined {
  if (!KNOWN_TYPES.has(type))
    return `The type "${type}" is not one Handrail knows (macos, linux); it is kept as it is.`;
  if (platform === undefined || platform === type) return undefined;
  return `The device is registered as ${type} and served by the agent of this ${platform} machine.`;
}
