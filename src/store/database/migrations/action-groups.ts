/**
 * The number of actions of a kind requested in an hour, and in a day, by outcome. It covers the ended actions up to a
 * certain id.
 */
export const ACTION_GROUPS = `
  CREATE TABLE guardian_action_groups (
    span TEXT NOT NULL CHECK (span IN ('hour', 'day')),
    start_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL,
    risk_level TEXT NOT NULL,
    status TEXT NOT NULL,
    actions INTEGER NOT NULL,
    PRIMARY KEY (span, start_ms, user_id, action_type, risk_level, status)
  ) STRICT, WITHOUT ROWID;
`;
