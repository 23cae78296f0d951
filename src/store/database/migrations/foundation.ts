/** Devices, actions, confirmations, artifacts, keys and the journal. */
export const FOUNDATION = `
  CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    capabilities TEXT NOT NULL CHECK (json_valid(capabilities)),
    created_at_ms INTEGER NOT NULL,
    removed_at_ms INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX devices_same_registration ON devices (owner_id, type, name, capabilities) WHERE removed_at_ms IS NULL;
  CREATE INDEX devices_by_owner ON devices (owner_id, id) WHERE removed_at_ms IS NULL;

  CREATE TABLE actions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    device_id TEXT NOT NULL REFERENCES devices (id),
    action_type TEXT NOT NULL,
    digest TEXT NOT NULL,
    reason TEXT,
    timeout_ms INTEGER NOT NULL CHECK (timeout_ms > 0),
    status TEXT NOT NULL CHECK (status IN ('awaiting_confirmation', 'queued', 'running', 'success', 'failed', 'denied',
      'expired', 'cancelled', 'blocked', 'unknown')),
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    risk_level TEXT NOT NULL CHECK (risk_level IN ('low', 'medium', 'high', 'critical')),
    risk_reasons TEXT NOT NULL CHECK (json_valid(risk_reasons)),
    effect_class TEXT NOT NULL CHECK (effect_class IN ('pure', 'idempotent', 'once')),
    effect TEXT NOT NULL CHECK (effect IN ('none', 'confirmed', 'unverified')),
    details TEXT NOT NULL,
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    created_at_ms INTEGER NOT NULL,
    decided_at_ms INTEGER,
    started_at_ms INTEGER,
    finished_at_ms INTEGER,
    duration_ms REAL,
    artifact_count INTEGER NOT NULL DEFAULT 0,
    cancel_requested_at_ms INTEGER,
    parameters TEXT CHECK (parameters IS NULL OR json_valid(parameters)),
    data TEXT CHECK (data IS NULL OR json_valid(data))
  ) STRICT;
  CREATE INDEX actions_by_user ON actions (user_id, id);
  CREATE INDEX actions_live ON actions (status, id) WHERE status IN ('awaiting_confirmation', 'queued', 'running');
  CREATE TRIGGER actions_end_is_final BEFORE UPDATE OF status ON actions
    WHEN old.status NOT IN ('awaiting_confirmation', 'queued', 'running') AND new.status <> old.status
    BEGIN SELECT RAISE(ABORT, 'an action that has ended cannot change its status'); END;

  CREATE TABLE confirmations (
    id TEXT PRIMARY KEY,
    action_id TEXT NOT NULL UNIQUE REFERENCES actions (id),
    user_id TEXT NOT NULL,
    action_digest TEXT NOT NULL,
    nonce TEXT NOT NULL,
    policy_version TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'allowed', 'denied', 'expired')),
    presence TEXT CHECK (presence IN ('hold', 'touchId')),
    created_at_ms INTEGER NOT NULL,
    shown_at_ms INTEGER,
    answerable_at_ms INTEGER,
    expires_at_ms INTEGER NOT NULL,
    decided_at_ms INTEGER,
    consumed_at_ms INTEGER
  ) STRICT;
  CREATE INDEX confirmations_pending ON confirmations (status, id) WHERE status = 'pending';
  CREATE INDEX confirmations_by_user ON confirmations (user_id, id);
  CREATE TRIGGER confirmations_answered_once BEFORE UPDATE OF status ON confirmations WHEN old.status <> 'pending'
    BEGIN SELECT RAISE(ABORT, 'a confirmation is answered once'); END;
  CREATE TRIGGER confirmations_consumed_once BEFORE UPDATE OF consumed_at_ms ON confirmations WHEN old.consumed_at_ms IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'an approval is consumed once'); END;

  CREATE TABLE artifacts (
    id TEXT PRIMARY KEY,
    action_id TEXT NOT NULL REFERENCES actions (id),
    user_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    removed_at_ms INTEGER
  ) STRICT;
  CREATE INDEX artifacts_by_action ON artifacts (action_id);
  CREATE INDEX artifacts_kept ON artifacts (created_at_ms, size_bytes) WHERE removed_at_ms IS NULL;

  CREATE TABLE idempotency_keys (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    action_id TEXT NOT NULL REFERENCES actions (id),
    answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at_ms);

  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    first_seen_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    device_id TEXT,
    action_id TEXT,
    confirmation_id TEXT,
    metadata TEXT NOT NULL CHECK (json_valid(metadata)),
    previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
  ) STRICT;
  CREATE TRIGGER journal_is_never_updated BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`;
