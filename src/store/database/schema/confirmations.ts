/**
 * A confirmation is about one action, or about the plan of one task: then its steps say what was asked, and each is spent by itself.
 * A denial counts for the type and target of an action, regardless of its other parameters. Denials and approvals have indexes of their
 * own, so that a flood of unanswered prompts costs their readers nothing.
 */
export const CONFIRMATIONS = `
  CREATE TABLE confirmations (
    id TEXT PRIMARY KEY,
    action_id TEXT UNIQUE REFERENCES actions (id),
    task_id TEXT UNIQUE REFERENCES tasks (id),
    user_id TEXT NOT NULL,
    action_digest TEXT NOT NULL,
    target_digest TEXT,
    nonce TEXT NOT NULL,
    policy_version TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'allowed', 'denied', 'expired')),
    presence TEXT CHECK (presence IN ('hold', 'touchId')),
    characters INTEGER CHECK (characters >= 0),
    opened_to_end INTEGER CHECK (opened_to_end IN (0, 1)),
    on_screen_ms INTEGER CHECK (on_screen_ms >= 0),
    created_at_ms INTEGER NOT NULL,
    shown_at_ms INTEGER,
    answerable_at_ms INTEGER,
    expires_at_ms INTEGER NOT NULL,
    denial_held_at_ms INTEGER,
    decided_at_ms INTEGER,
    consumed_at_ms INTEGER,
    voided_at_ms INTEGER,
    CHECK ((action_id IS NULL) <> (task_id IS NULL)),
    CHECK (task_id IS NULL OR consumed_at_ms IS NULL)
  ) STRICT;
  CREATE INDEX confirmations_by_user ON confirmations (user_id, id);
  CREATE INDEX confirmations_pending ON confirmations (status, id) WHERE status = 'pending';
  CREATE INDEX confirmations_answered ON confirmations (decided_at_ms) WHERE status IN ('allowed', 'denied');
  CREATE INDEX confirmations_denied ON confirmations (user_id, target_digest, decided_at_ms) WHERE status = 'denied';
  CREATE INDEX confirmations_allowed ON confirmations (user_id) WHERE status = 'allowed';
  CREATE INDEX confirmations_allowed_requests ON confirmations (user_id, action_digest, decided_at_ms) WHERE status = 'allowed';
  CREATE TRIGGER confirmations_answered_once BEFORE UPDATE OF status ON confirmations WHEN old.status <> 'pending'
    BEGIN SELECT RAISE(ABORT, 'a confirmation is answered once'); END;
  CREATE TRIGGER confirmations_consumed_once BEFORE UPDATE OF consumed_at_ms ON confirmations WHEN old.consumed_at_ms IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'an approval is consumed once'); END;
  CREATE TRIGGER confirmations_void_for_good BEFORE UPDATE OF voided_at_ms ON confirmations WHEN old.voided_at_ms IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'an approval that is void stays void'); END;

  CREATE TABLE confirmation_steps (
    confirmation_id TEXT NOT NULL REFERENCES confirmations (id),
    position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 99),
    step_id TEXT NOT NULL,
    consent TEXT NOT NULL CHECK (consent IN ('asked', 'later', 'none', 'blocked', 'denied')),
    action_type TEXT NOT NULL,
    action_digest TEXT,
    target_digest TEXT,
    risk_level TEXT NOT NULL CHECK (risk_level IN ('low', 'medium', 'high', 'critical')),
    max_attempts INTEGER NOT NULL CHECK (max_attempts BETWEEN 1 AND 5),
    action_id TEXT REFERENCES actions (id),
    consumed_at_ms INTEGER,
    PRIMARY KEY (confirmation_id, position),
    UNIQUE (confirmation_id, step_id),
    CHECK (consent <> 'asked' OR action_digest IS NOT NULL),
    CHECK (consent = 'asked' OR consumed_at_ms IS NULL)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX confirmation_steps_by_target ON confirmation_steps (target_digest) WHERE consent = 'asked';
  CREATE TRIGGER confirmation_steps_consumed_once BEFORE UPDATE OF consumed_at_ms ON confirmation_steps
    WHEN old.consumed_at_ms IS NOT NULL AND new.consumed_at_ms IS NOT old.consumed_at_ms
    BEGIN SELECT RAISE(ABORT, 'the approval of a step is consumed once'); END;
`;
