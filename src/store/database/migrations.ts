import { SCHEMA } from './schema.ts';

/**
 * The schema as steps, oldest first. A released step is never edited; a change is a new step at the end. `PRAGMA user_version` says how
 * many steps a database has taken, see `migrate.ts`.
 */
export const MIGRATIONS: readonly string[] = [SCHEMA];
