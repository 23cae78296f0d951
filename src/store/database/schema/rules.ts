/**
 * Requesters, the rules that the person gave them, and settings. `calling_programs`: the program that submitted an action or a task about
 * which the person is asked; `subject_id` is the action or the task, and rows with the same `name_key` are of the same program.
 */
export const RULES = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    first_seen_at_ms INTEGER NOT NULL,
    key_hash TEXT,
    paused_at_ms INTEGER,
    paused_because TEXT,
    denials_count_from_ms INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX users_by_first_seen ON users (first_seen_at_ms);
  CREATE INDEX users_paused ON users (paused_at_ms) WHERE paused_at_ms IS NOT NULL;

  CREATE TABLE calling_programs (
    subject_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    name_key TEXT NOT NULL,
    program TEXT NOT NULL CHECK (json_valid(program)),
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX calling_programs_by_user ON calling_programs (user_id, at_ms);
  CREATE INDEX calling_programs_by_age ON calling_programs (at_ms);

  CREATE TABLE profiles (
    name TEXT PRIMARY KEY,
    definition TEXT NOT NULL CHECK (json_valid(definition))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE profile_assignments (
    user_id TEXT PRIMARY KEY,
    profile TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL,
    device_id TEXT NOT NULL REFERENCES devices (id),
    arguments TEXT NOT NULL CHECK (json_valid(arguments)),
    literal TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('task', 'minutes15', 'untilQuit', 'always')),
    task_id TEXT REFERENCES tasks (id),
    use_count INTEGER NOT NULL DEFAULT 0,
    created_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    unused_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    revoked_at_ms INTEGER
  ) STRICT;
  CREATE INDEX grants_by_key ON grants (user_id, action_type, device_id, arguments) WHERE revoked_at_ms IS NULL;

  CREATE TABLE allowed_folders (
    user_id TEXT NOT NULL,
    path TEXT NOT NULL,
    access TEXT NOT NULL CHECK (access IN ('read', 'write')),
    added_at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, path)
  ) STRICT;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;
`;
