import type { Database } from 'better-sqlite3';

/** Single values that outlive the daemon, as JSON. */
export function createSettingsTable(database: Database) {
  const get = database.prepare('SELECT value FROM settings WHERE name = ?');
  const set = database.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    get(name: string): unknown {
      const stored = get.get(name) as { value: string } | undefined;
      return stored === undefined ? undefined : (JSON.parse(stored.value) as unknown);
    },
    set: (name: string, value: unknown): void => void set.run(name, JSON.stringify(value)),
  };
}
