import type Database from 'better-sqlite3';

/** How many steps of the schema a database has taken. */
export function schemaOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** Takes the steps that a database has not taken yet, all of them or none. */
export function applyMigrations(database: Database.Database, migrations: readonly string[]): void {
  const version = schemaOf(database);
  // Otherwise a step could not replace a text in the schema.
  database.unsafeMode(true);
  database.transaction(() => {
    for (const step of migrations.slice(version)) database.exec(step);
    database.pragma(`user_version = ${migrations.length}`);
  })();
  database.unsafeMode(false);
}
