import type { Database } from 'better-sqlite3';
import { storedJson } from '../database/stored-values.ts';

/** Single values that outlive the daemon, as JSON. `changed` is told the name of each that is set. */
export function createSettingsTable(database: Database, changed: (name: string) => void = () => undefined) {
  const get = database.prepare<unknown[], { value: string }>('SELECT value FROM settings WHERE name = ?');
  const set = database.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    get(name: string): unknown {
      const stored = get.get(name);
      return stored === undefined ? undefined : storedJson<unknown>(stored.value);
    },
    set(name: string, value: unknown): void {
      set.run(name, JSON.stringify(value));
      changed(name);
    },
  };
}
