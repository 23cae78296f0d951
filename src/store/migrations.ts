/**
 * The schema, as steps that have ever been released, oldest first. A step is never edited: what must change is a new step.
 * `PRAGMA user_version` is the number of steps a database has taken.
 */
export const MIGRATIONS: readonly string[] = [
  `
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
  `,
  `
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
  `,
  `
  CREATE TABLE guardian_rollups (
    span TEXT NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
    start_ms INTEGER NOT NULL,
    requested INTEGER NOT NULL,
    requested_low INTEGER NOT NULL,
    requested_medium INTEGER NOT NULL,
    requested_high INTEGER NOT NULL,
    requested_critical INTEGER NOT NULL,
    requested_allowed INTEGER NOT NULL,
    requested_asking INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    repeated INTEGER NOT NULL,
    novel INTEGER NOT NULL,
    executed INTEGER NOT NULL,
    executed_elevated INTEGER NOT NULL,
    executed_high INTEGER NOT NULL,
    executed_irreversible INTEGER NOT NULL,
    executed_by_grant INTEGER NOT NULL,
    executed_undecided INTEGER NOT NULL,
    retried INTEGER NOT NULL,
    captured INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    denied INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    cancelled INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    cancel_requested INTEGER NOT NULL,
    prompted INTEGER NOT NULL,
    prompt_called INTEGER NOT NULL,
    prompt_shown INTEGER NOT NULL,
    prompt_allowed INTEGER NOT NULL,
    prompt_allowed_elevated INTEGER NOT NULL,
    prompt_allowed_hastily INTEGER NOT NULL,
    prompt_denied INTEGER NOT NULL,
    prompt_expired INTEGER NOT NULL,
    grant_created INTEGER NOT NULL,
    task_started INTEGER NOT NULL,
    task_succeeded INTEGER NOT NULL,
    task_failed INTEGER NOT NULL,
    task_cancelled INTEGER NOT NULL,
    task_intervened INTEGER NOT NULL,
    credential_refused INTEGER NOT NULL,
    place_refused INTEGER NOT NULL,
    approval_refused INTEGER NOT NULL,
    journal_broken INTEGER NOT NULL,
    agent_lost INTEGER NOT NULL,
    agent_violated INTEGER NOT NULL,
    requester_paused INTEGER NOT NULL,
    emergency_stopped INTEGER NOT NULL,
    burst_peak INTEGER NOT NULL,
    slowest_ms INTEGER NOT NULL,
    types TEXT NOT NULL CHECK (json_valid(types)),
    execution_ms TEXT NOT NULL CHECK (json_valid(execution_ms)),
    response_ms TEXT NOT NULL CHECK (json_valid(response_ms)),
    task_ms TEXT NOT NULL CHECK (json_valid(task_ms)),
    PRIMARY KEY (span, start_ms)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_up_intervals (
    seq INTEGER PRIMARY KEY,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL,
    is_ready INTEGER NOT NULL CHECK (is_ready IN (0, 1))
  ) STRICT;

  CREATE TABLE guardian_seen (
    key TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    reason TEXT,
    profile TEXT,
    on_failure TEXT NOT NULL CHECK (on_failure IN ('stop', 'continue')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'awaiting_confirmation', 'success', 'failed', 'cancelled',
      'needs_attention')),
    created_at_ms INTEGER NOT NULL,
    started_at_ms INTEGER,
    finished_at_ms INTEGER,
    cancel_requested_at_ms INTEGER,
    cancelled_by TEXT CHECK (cancelled_by IN ('person', 'requester')),
    asking_since_ms INTEGER,
    asked_ms INTEGER NOT NULL DEFAULT 0,
    CHECK ((finished_at_ms IS NOT NULL) = (status IN ('success', 'failed', 'cancelled')))
  ) STRICT;
  CREATE INDEX tasks_by_user ON tasks (user_id, id);
  CREATE INDEX tasks_live ON tasks (id) WHERE finished_at_ms IS NULL;
  CREATE TRIGGER tasks_end_is_final BEFORE UPDATE OF status ON tasks
    WHEN old.status IN ('success', 'failed', 'cancelled') AND new.status <> old.status
    BEGIN SELECT RAISE(ABORT, 'a task that has ended cannot change its status'); END;

  CREATE TABLE task_steps (
    task_id TEXT NOT NULL REFERENCES tasks (id),
    position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 99),
    id TEXT NOT NULL,
    device_id TEXT NOT NULL REFERENCES devices (id),
    action_type TEXT NOT NULL,
    parameters TEXT CHECK (parameters IS NULL OR json_valid(parameters)),
    depends_on TEXT NOT NULL CHECK (json_valid(depends_on)),
    run_if TEXT NOT NULL CHECK (run_if IN ('success', 'failure', 'always')),
    timeout_ms INTEGER NOT NULL CHECK (timeout_ms BETWEEN 1 AND 600000),
    max_attempts INTEGER NOT NULL CHECK (max_attempts BETWEEN 1 AND 5),
    backoff_ms INTEGER NOT NULL CHECK (backoff_ms >= 0),
    effect_class TEXT NOT NULL CHECK (effect_class IN ('pure', 'idempotent', 'once')),
    risk_level TEXT NOT NULL CHECK (risk_level IN ('low', 'medium', 'high', 'critical')),
    risk_reasons TEXT NOT NULL CHECK (json_valid(risk_reasons)),
    asks INTEGER NOT NULL CHECK (asks IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('pending', 'awaiting_confirmation', 'running', 'success', 'failed', 'skipped',
      'cancelled', 'denied', 'expired', 'blocked', 'unknown')),
    action_id TEXT REFERENCES actions (id),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    recoveries INTEGER NOT NULL DEFAULT 0 CHECK (recoveries BETWEEN 0 AND 3),
    retry_at_ms INTEGER,
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    started_at_ms INTEGER,
    finished_at_ms INTEGER,
    PRIMARY KEY (task_id, position),
    UNIQUE (task_id, id),
    CHECK (effect_class <> 'once' OR max_attempts = 1)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX task_steps_with_parameters ON task_steps (task_id) WHERE parameters IS NOT NULL;
  CREATE TRIGGER task_steps_end_is_final BEFORE UPDATE OF status ON task_steps
    WHEN old.status IN ('success', 'failed', 'skipped', 'cancelled', 'denied', 'expired', 'blocked') AND new.status <> old.status
    BEGIN SELECT RAISE(ABORT, 'a step that has ended cannot change its status'); END;

  CREATE TABLE task_idempotency_keys (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    task_id TEXT NOT NULL REFERENCES tasks (id),
    answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX task_idempotency_keys_by_age ON task_idempotency_keys (created_at_ms);

  ALTER TABLE actions ADD COLUMN task_id TEXT REFERENCES tasks (id);
  ALTER TABLE actions ADD COLUMN step_id TEXT;
  `,
  `
  ALTER TABLE grants ADD COLUMN task_id TEXT REFERENCES tasks (id);
  `,
];
