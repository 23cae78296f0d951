import type { Database } from 'better-sqlite3';
import type { Capabilities } from '../../contract/device.ts';
import { storedJson } from '../database/stored-values.ts';

export type DeviceRow = {
  id: string;
  ownerId: string;
  type: string;
  name: string;
  capabilities: Capabilities;
  createdAtMs: number;
};

type Stored = { id: string; owner_id: string; type: string; name: string; capabilities: string; created_at_ms: number };

const MOST_CACHED = 1_000;

export function createDeviceTable(database: Database) {
  const insert = database.prepare(
    'INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const same = database.prepare<unknown[], Stored>(
    'SELECT * FROM devices WHERE owner_id = ? AND type = ? AND name = ? AND capabilities = ? AND removed_at_ms IS NULL',
  );
  const byId = database.prepare<unknown[], Stored>(
    'SELECT * FROM devices WHERE owner_id = ? AND id = ? AND removed_at_ms IS NULL',
  );
  const ofAnyone = database.prepare<unknown[], Stored>('SELECT * FROM devices WHERE id = ? AND removed_at_ms IS NULL');
  const page = database.prepare<unknown[], Stored>(
    'SELECT * FROM devices WHERE owner_id = ? AND id < ? AND removed_at_ms IS NULL ORDER BY id DESC LIMIT ?',
  );
  const all = database.prepare<unknown[], Stored>(
    'SELECT * FROM devices WHERE removed_at_ms IS NULL ORDER BY id DESC LIMIT ?',
  );
  const remove = database.prepare('UPDATE devices SET removed_at_ms = ? WHERE id = ?');
  // Every submission asks for its device. Rows never change; they are removed.
  const cache = new Map<string, DeviceRow>();

  function find(ownerId: string, id: string): DeviceRow | undefined {
    const cached = cache.get(id);
    if (cached?.ownerId === ownerId) return cached;
    const row = fromStored(byId.get(ownerId, id));
    if (row !== undefined && cache.size < MOST_CACHED) cache.set(id, row);
    return row;
  }

  return {
    insert(row: DeviceRow): void {
      insert.run(row.id, row.ownerId, row.type, row.name, canonicalFlags(row.capabilities), row.createdAtMs);
    },
    /** The device registered with exactly these words by this owner, if it is still there. */
    findSame(row: Omit<DeviceRow, 'id' | 'createdAtMs'>): DeviceRow | undefined {
      return fromStored(same.get(row.ownerId, row.type, row.name, canonicalFlags(row.capabilities)));
    },
    find,
    /** A device of any owner. */
    findById: (id: string): DeviceRow | undefined => fromStored(ofAnyone.get(id)),
    /** Newest first, those older than `beforeId`. */
    page(ownerId: string, beforeId: string, limit: number): DeviceRow[] {
      return page.all(ownerId, beforeId, limit).map(toRow);
    },
    /** Everybody's, newest first. */
    all: (limit: number): DeviceRow[] => all.all(limit).map(toRow),
    remove(id: string, atMs: number): void {
      remove.run(atMs, id);
      cache.delete(id);
    },
  };
}

function canonicalFlags(capabilities: Capabilities): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(capabilities).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

function fromStored(stored: Stored | undefined): DeviceRow | undefined {
  return stored === undefined ? undefined : toRow(stored);
}

function toRow(stored: Stored): DeviceRow {
  return {
    id: stored.id,
    ownerId: stored.owner_id,
    type: stored.type,
    name: stored.name,
    capabilities: storedJson<Capabilities>(stored.capabilities),
    createdAtMs: stored.created_at_ms,
  };
}
