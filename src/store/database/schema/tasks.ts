/** Tasks and their steps. */
export const TASKS = `
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
    details TEXT,
    action_id TEXT REFERENCES actions (id),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    recoveries INTEGER NOT NULL DEFAULT 0 CHECK (recoveries BETWEEN 0 AND 3),
    retry_at_ms INTEGER,
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    started_at_ms INTEGER,
    finished_at_ms INTEGER,
    targets TEXT CHECK (targets IS NULL OR json_valid(targets)),
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
`;
