/** Actions that have not ended. SQLite uses an index only where a query has the words of the index. */
export const IS_LIVE = isOneOf('status', ['awaiting_confirmation', 'queued', 'running']);

export const ENDED_BADLY_STATUSES = ['failed', 'denied', 'expired', 'cancelled', 'blocked', 'unknown'];

/** Actions that ended otherwise than in success. */
export const HAS_ENDED_BADLY = isOneOf('status', ENDED_BADLY_STATUSES);

/**
 * SQLite fills a temporary table for each `IN` with more than two values, every time that a row is stored. Comparisons joined by `OR`
 * say the same and need none.
 */
function isOneOf(column: string, values: readonly string[]): string {
  return `(${values.map((value) => `${column} = '${value}'`).join(' OR ')})`;
}

/**
 * Devices and actions, with the tables that belong to one action. `actions_ended_badly` costs nothing while an action succeeds. A trigger
 * before an update makes SQLite look for the row a second time. A trigger after it does not, and can still undo the update.
 */
export const ACTIONS = `
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
    task_id TEXT REFERENCES tasks (id),
    step_id TEXT,
    plan_id TEXT REFERENCES confirmations (id),
    grant_id TEXT,
    rule TEXT NOT NULL DEFAULT '',
    action_type TEXT NOT NULL,
    digest TEXT NOT NULL,
    reason TEXT,
    timeout_ms INTEGER NOT NULL CHECK (timeout_ms > 0),
    status TEXT NOT NULL CHECK (${isOneOf('status', ['awaiting_confirmation', 'queued', 'running', 'success', ...ENDED_BADLY_STATUSES])}),
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    risk_level TEXT NOT NULL CHECK (${isOneOf('risk_level', ['low', 'medium', 'high', 'critical'])}),
    risk_reasons TEXT NOT NULL CHECK (json_valid(risk_reasons)),
    effect_class TEXT NOT NULL CHECK (${isOneOf('effect_class', ['pure', 'idempotent', 'once'])}),
    effect TEXT NOT NULL CHECK (${isOneOf('effect', ['none', 'confirmed', 'unverified'])}),
    details TEXT NOT NULL,
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    created_at_ms INTEGER NOT NULL,
    decided_at_ms INTEGER,
    started_at_ms INTEGER,
    finished_at_ms INTEGER,
    duration_ms REAL,
    artifact_count INTEGER NOT NULL DEFAULT 0,
    cancel_requested_at_ms INTEGER,
    cancelled_by_person INTEGER NOT NULL DEFAULT 0 CHECK (cancelled_by_person IN (0, 1)),
    parameters TEXT CHECK (parameters IS NULL OR json_valid(parameters)),
    data TEXT CHECK (data IS NULL OR json_valid(data)),
    targets TEXT CHECK (targets IS NULL OR json_valid(targets))
  ) STRICT;
  CREATE INDEX actions_by_user ON actions (user_id, id);
  CREATE INDEX actions_by_task ON actions (task_id, id) WHERE task_id IS NOT NULL;
  CREATE INDEX actions_ended_badly ON actions (id) WHERE ${HAS_ENDED_BADLY};
  CREATE INDEX actions_high_risk ON actions (id) WHERE risk_level IN ('high', 'critical');
  CREATE INDEX actions_high_risk_by_kind ON actions (user_id, action_type, id) WHERE risk_level IN ('high', 'critical');
  CREATE TRIGGER actions_end_is_final AFTER UPDATE OF status ON actions
    WHEN new.status <> old.status AND NOT ${isOneOf('old.status', ['awaiting_confirmation', 'queued', 'running'])}
    BEGIN SELECT RAISE(ABORT, 'an action that has ended cannot change its status'); END;

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

  CREATE TABLE undos (
    action_id TEXT PRIMARY KEY,
    facts TEXT NOT NULL CHECK (json_valid(facts)),
    until_ms INTEGER NOT NULL,
    undone_at_ms INTEGER,
    former_removed_at_ms INTEGER
  ) STRICT;
  CREATE INDEX undos_by_end ON undos (until_ms);

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
`;
