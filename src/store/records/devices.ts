import type { Database } from 'better-sqlite3';
import type { Capabilities } from '../../contract/device.ts';
import type { Machine } from '../../contract/machine.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import { foundRow, rowsOf } from '../database/stored-values.ts';

export type DeviceRow = {
  id: string;
  ownerId: string;
  type: string;
  name: string;
  /** `local`, or the name of one of the person's machines. */
  machine: string;
  capabilities: Capabilities;
  createdAtMs: number;
};

const MOST_CACHED = 1_000;
const JSON_COLUMNS = ['capabilities'];

const COLUMNS = 'id, owner_id, type, name, machine, capabilities, created_at_ms';

export function createDeviceTable(database: Database) {
  const insert = database.prepare(
    'INSERT INTO devices (id, owner_id, type, name, machine, capabilities, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const same = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM devices WHERE owner_id = ? AND type = ? AND name = ? AND machine = ? AND capabilities = ? AND removed_at_ms IS NULL`,
  );
  const byId = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM devices WHERE owner_id = ? AND id = ? AND removed_at_ms IS NULL`,
  );
  const ofAnyone = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM devices WHERE id = ? AND removed_at_ms IS NULL`,
  );
  const page = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM devices WHERE owner_id = ? AND id < ? AND removed_at_ms IS NULL ORDER BY id DESC LIMIT ?`,
  );
  const all = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM devices WHERE removed_at_ms IS NULL ORDER BY id DESC LIMIT ?`,
  );
  const machine = database.prepare<unknown[], string>('SELECT machine FROM devices WHERE id = ?').pluck();
  const onMachine = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM devices WHERE machine = ? AND removed_at_ms IS NULL`,
  );
  const remove = database.prepare('UPDATE devices SET removed_at_ms = ? WHERE id = ?');
  // Every submission asks for its device. Rows never change; they are removed.
  const cache = new Map<string, DeviceRow>();

  function find(ownerId: string, id: string): DeviceRow | undefined {
    const cached = cache.get(id);
    if (cached?.ownerId === ownerId) return cached;
    const row = deviceIn(byId.get(ownerId, id));
    if (row !== undefined && cache.size < MOST_CACHED) cache.set(id, row);
    return row;
  }

  return {
    insert(row: DeviceRow): void {
      insert.run(
        ...[row.id, row.ownerId, row.type, row.name, row.machine],
        ...[canonicalFlags(row.capabilities), row.createdAtMs],
      );
    },
    /** The device registered with exactly these words by this owner, if it is still there. */
    findSame(row: Omit<DeviceRow, 'id' | 'createdAtMs'>): DeviceRow | undefined {
      return deviceIn(same.get(row.ownerId, row.type, row.name, row.machine, canonicalFlags(row.capabilities)));
    },
    find,
    /** A device of any owner. */
    findById: (id: string): DeviceRow | undefined => deviceIn(ofAnyone.get(id)),
    /** The machine of a device of any owner, also of one that was removed. It never changes. */
    machineOf: (id: string): string => cache.get(id)?.machine ?? machine.get(id) ?? LOCAL,
    onMachine: (name: string): DeviceRow[] => rowsOf(onMachine.all(name), JSON_COLUMNS),
    /** Newest first, those older than `beforeId`. */
    page(ownerId: string, beforeId: string, limit: number): DeviceRow[] {
      return rowsOf(page.all(ownerId, beforeId, limit), JSON_COLUMNS);
    },
    /** Everybody's, newest first. */
    all: (limit: number): DeviceRow[] => rowsOf(all.all(limit), JSON_COLUMNS),
    remove(id: string, atMs: number): void {
      remove.run(atMs, id);
      cache.delete(id);
    },
  };
}

function deviceIn(stored: object | undefined): DeviceRow | undefined {
  return foundRow(stored, JSON_COLUMNS);
}

function canonicalFlags(capabilities: Capabilities): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(capabilities).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

/** A machine that the person added. */
export type MachineRow = Machine & { addedAtMs: number };

/** The machines of the person, and which requesters may act on them. */
export function createMachineTable(database: Database) {
  const all = database.prepare<unknown[], object>(
    'SELECT name, address, agent_command, display, added_at_ms FROM machines ORDER BY name',
  );
  const insert = database.prepare(
    'INSERT INTO machines (name, address, agent_command, display, added_at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM machines WHERE name = ?');
  const forgetLeaves = database.prepare('DELETE FROM machine_leaves WHERE machine = ?');
  const leave = database
    .prepare<unknown[], 1>('SELECT 1 FROM machine_leaves WHERE user_id = ? AND machine = ?')
    .pluck();
  const give = database.prepare('INSERT OR IGNORE INTO machine_leaves (user_id, machine, at_ms) VALUES (?, ?, ?)');
  return {
    list: (): MachineRow[] => rowsOf(all.all(), []),
    insert({ name, address, agentCommand, display, addedAtMs }: MachineRow): void {
      insert.run(name, address, agentCommand ?? null, display ?? null, addedAtMs);
    },
    /** Forgets the machine and which requesters may act on it. */
    remove(name: string): void {
      remove.run(name);
      forgetLeaves.run(name); // guard N55-2
    },
    /** Whether the person let this requester act on that machine. */
    hasLeave: (userId: string, machine: string): boolean => leave.get(userId, machine) !== undefined,
    /** Answers whether the leave is a new one. */
    giveLeave: (userId: string, machine: string, atMs: number): boolean => give.run(userId, machine, atMs).changes > 0,
  };
}
