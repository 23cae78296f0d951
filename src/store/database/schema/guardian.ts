/**
 * Guardian's counts of each minute, hour and day, its breakdowns, trends and insights. `guardian_action_groups` has the actions that ended
 * up to a certain id, `guardian_parts` the counters of `guardian_rollups` that metrics are made of, by requester, action type and device.
 * The source of a refused request is the host of a web page, or the user id that was claimed.
 */
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
    replayed INTEGER NOT NULL,
    digest_mismatched INTEGER NOT NULL,
    request_refused INTEGER NOT NULL,
    plan_denied INTEGER NOT NULL,
    executed_without_effect INTEGER NOT NULL,
    cancelled_by_person INTEGER NOT NULL,
    approved_unasked INTEGER NOT NULL,
    outcome_unexpected INTEGER NOT NULL,
    console_key_refused INTEGER NOT NULL,
    agent_token_refused INTEGER NOT NULL,
    user_key_refused INTEGER NOT NULL,
    host_refused INTEGER NOT NULL,
    origin_refused INTEGER NOT NULL,
    cross_site_refused INTEGER NOT NULL,
    os_user_refused INTEGER NOT NULL,
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
    is_ready INTEGER NOT NULL CHECK (is_ready IN (0, 1)),
    is_locked INTEGER NOT NULL CHECK (is_locked IN (0, 1))
  ) STRICT;

  CREATE TABLE guardian_seen (
    key TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_action_groups (
    span TEXT NOT NULL CHECK (span IN ('hour', 'day')),
    start_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL,
    device_id TEXT NOT NULL,
    risk_level TEXT NOT NULL,
    status TEXT NOT NULL,
    actions INTEGER NOT NULL,
    PRIMARY KEY (span, start_ms, user_id, action_type, device_id, risk_level, status)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_parts (
    span TEXT NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
    start_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL,
    device_id TEXT NOT NULL,
    requested INTEGER NOT NULL,
    requested_medium INTEGER NOT NULL,
    requested_high INTEGER NOT NULL,
    requested_critical INTEGER NOT NULL,
    request_refused INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    repeated INTEGER NOT NULL,
    novel INTEGER NOT NULL,
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
    prompted INTEGER NOT NULL,
    prompt_allowed INTEGER NOT NULL,
    prompt_allowed_elevated INTEGER NOT NULL,
    prompt_allowed_hastily INTEGER NOT NULL,
    prompt_denied INTEGER NOT NULL,
    prompt_expired INTEGER NOT NULL,
    task_started INTEGER NOT NULL,
    task_succeeded INTEGER NOT NULL,
    task_failed INTEGER NOT NULL,
    task_cancelled INTEGER NOT NULL,
    plan_denied INTEGER NOT NULL,
    task_intervened INTEGER NOT NULL,
    journal_broken INTEGER NOT NULL,
    approved_unasked INTEGER NOT NULL,
    outcome_unexpected INTEGER NOT NULL,
    PRIMARY KEY (span, start_ms, user_id, action_type, device_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_refused_requests (
    hour_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    capability TEXT NOT NULL,
    times INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (hour_ms, user_id, capability)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_refused_sources (
    hour_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    source TEXT NOT NULL,
    times INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (hour_ms, code, source)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_trends (
    span TEXT NOT NULL,
    metric_type TEXT NOT NULL,
    trend TEXT NOT NULL CHECK (json_valid(trend)),
    state TEXT NOT NULL CHECK (json_valid(state)),
    PRIMARY KEY (span, metric_type)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE guardian_insights (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    finding TEXT NOT NULL CHECK (json_valid(finding)),
    status TEXT NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
    first_seen_ms INTEGER NOT NULL,
    last_seen_ms INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),
    told_severity TEXT CHECK (told_severity IN ('info', 'warning', 'high', 'critical'))
  ) STRICT, WITHOUT ROWID;
`;
