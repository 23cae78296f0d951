import type { Database } from 'better-sqlite3';
import type { Profile } from '../../contract/profile.ts';
import { storedJson } from '../database/stored-values.ts';

/** The person's own profiles, and which profile applies to whom (`*`: everybody else). Read whole, since they are few. `changed` is told of each change. */
export function createProfileTable(database: Database, changed: () => void = () => undefined) {
  const all = database.prepare<unknown[], { definition: string }>('SELECT definition FROM profiles ORDER BY name');
  const put = database.prepare(
    'INSERT INTO profiles (name, definition) VALUES (?, ?) ON CONFLICT DO UPDATE SET definition = excluded.definition',
  );
  const remove = database.prepare('DELETE FROM profiles WHERE name = ?');
  const assignments = database.prepare<unknown[], { userId: string; profile: string }>(
    'SELECT user_id AS userId, profile FROM profile_assignments ORDER BY user_id',
  );
  const assign = database.prepare(
    'INSERT INTO profile_assignments (user_id, profile) VALUES (?, ?) ON CONFLICT DO UPDATE SET profile = excluded.profile',
  );
  return {
    list: (): Profile[] => all.all().map(({ definition }) => storedJson<Profile>(definition)),
    put(profile: Profile): void {
      put.run(profile.name, JSON.stringify(profile));
      changed();
    },
    remove(name: string): void {
      remove.run(name);
      changed();
    },
    assignments: () => assignments.all(),
    assign(userId: string, profile: string): void {
      assign.run(userId, profile);
      changed();
    },
  };
}
