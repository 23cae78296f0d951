import { ACTIONS } from './schema/actions.ts';
import { CONFIRMATIONS } from './schema/confirmations.ts';
import { COUNTS } from './schema/counts.ts';
import { GUARDIAN } from './schema/guardian.ts';
import { JOURNAL } from './schema/journal.ts';
import { KEPT_CONTENTS } from './schema/kept-contents.ts';
import { RULES } from './schema/rules.ts';
import { TASKS } from './schema/tasks.ts';

/** The tables of the first release. */
export const SCHEMA = [ACTIONS, CONFIRMATIONS, TASKS, RULES, JOURNAL, GUARDIAN, KEPT_CONTENTS].join('\n');

/**
 * The schema as steps, oldest first. A released step is never edited; a change is a new step at the end. `PRAGMA user_version` says how
 * many steps a database has taken, see `migrate.ts`.
 */
export const MIGRATIONS: readonly string[] = [
  SCHEMA,
  "ALTER TABLE artifacts ADD COLUMN role TEXT CHECK (role IN ('before', 'after'))",
  'ALTER TABLE guardian_rollups ADD COLUMN requested_by_access INTEGER NOT NULL DEFAULT 0',
  // `sentence`: the sentence of the prompt. `done`: the report of what the action did. The daemon deletes both together with the parameters.
  `ALTER TABLE actions ADD COLUMN sentence TEXT;
   ALTER TABLE actions ADD COLUMN done TEXT CHECK (done IS NULL OR json_valid(done))`,
  'ALTER TABLE guardian_rollups ADD COLUMN denied_again INTEGER NOT NULL DEFAULT 0',
  // The line that the person sends to the requester with a denial.
  'ALTER TABLE confirmations ADD COLUMN denial_note TEXT',
  // One row for each time at which the shares of risk of the open insights changed.
  `CREATE TABLE guardian_signs (
     at_ms INTEGER PRIMARY KEY,
     signs TEXT NOT NULL CHECK (json_valid(signs))
   ) STRICT`,
  ['guardian_rollups', 'guardian_parts']
    .flatMap((table) =>
      ['interrupted', 'unverified', 'confirmed'].map(
        (column) => `ALTER TABLE ${table} ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`,
      ),
    )
    .join(';\n'),
  'DROP TABLE guardian_trends',
  // `runs_left`: how many runs of a procedure a grant still allows. `procedure`: what the steps of a task are judged by.
  `CREATE TABLE procedures (
     user_id TEXT NOT NULL,
     name TEXT NOT NULL,
     version INTEGER NOT NULL,
     digest TEXT NOT NULL,
     changed_at_ms INTEGER NOT NULL,
     definition TEXT NOT NULL CHECK (json_valid(definition)),
     PRIMARY KEY (user_id, name)
   ) STRICT;
   ALTER TABLE grants ADD COLUMN runs_left INTEGER CHECK (runs_left >= 0);
   ALTER TABLE tasks ADD COLUMN procedure TEXT CHECK (procedure IS NULL OR json_valid(procedure));
   CREATE INDEX tasks_by_procedure ON tasks (user_id, procedure ->> '$.name') WHERE procedure IS NOT NULL`,
  COUNTS,
  // `machine_leaves`: the person let this requester act on that machine.
  `CREATE TABLE machines (
     name TEXT PRIMARY KEY,
     address TEXT NOT NULL,
     agent_command TEXT,
     display TEXT,
     added_at_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE machine_leaves (
     user_id TEXT NOT NULL,
     machine TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     PRIMARY KEY (user_id, machine)
   ) STRICT, WITHOUT ROWID;
   ALTER TABLE devices ADD COLUMN machine TEXT NOT NULL DEFAULT 'local';
   DROP INDEX devices_same_registration;
   CREATE UNIQUE INDEX devices_same_registration ON devices (owner_id, type, name, capabilities, machine) WHERE removed_at_ms IS NULL`,
];
