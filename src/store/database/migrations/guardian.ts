/** What Guardian counts. */
export const GUARDIAN = `
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
`;
