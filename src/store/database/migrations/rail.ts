/** Profiles, grants, pauses and keys of users, settings, and checkpoints of the journal. */
export const RAIL = `
  ALTER TABLE users ADD COLUMN key_hash TEXT;
  ALTER TABLE users ADD COLUMN paused_at_ms INTEGER;
  ALTER TABLE users ADD COLUMN paused_because TEXT;
  ALTER TABLE users ADD COLUMN denials_count_from_ms INTEGER NOT NULL DEFAULT 0;

  ALTER TABLE actions ADD COLUMN grant_id TEXT;
  ALTER TABLE actions ADD COLUMN rule TEXT NOT NULL DEFAULT '';

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
    use_count INTEGER NOT NULL DEFAULT 0,
    created_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    unused_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    revoked_at_ms INTEGER
  ) STRICT;
  CREATE INDEX grants_by_key ON grants (user_id, action_type, device_id, arguments) WHERE revoked_at_ms IS NULL;
  CREATE INDEX confirmations_by_digest ON confirmations (user_id, action_digest, decided_at_ms);

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE journal_checkpoints (
    seq INTEGER PRIMARY KEY,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    rows_pruned INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 32)
  ) STRICT;
  DROP TRIGGER journal_is_never_deleted;
  CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
    WHEN old.seq > (SELECT coalesce(max(seq), 0) FROM journal_checkpoints)
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`;
