import type { Database } from 'better-sqlite3';
import type { Machine } from '../../contract/machine.ts';
import { rowsOf } from '../database/stored-values.ts';

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
      forgetLeaves.run(name);
    },
    /** Whether the person let this requester act on that machine. */
    hasLeave: (userId: string, machine: string): boolean => leave.get(userId, machine) !== undefined,
    /** Answers whether the leave is a new one. */
    giveLeave: (userId: string, machine: string, atMs: number): boolean => give.run(userId, machine, atMs).changes > 0,
  };
}
