/**
 * How many actions of an hour, and of a minute, were repeats, retries, new, of elevated risk when they ran, under a grant, or recorded
 * without a valid decision, by requester, type and device. Earlier actions are not counted: the setting says from when on.
 */
export const ACTION_MARKS = `
  CREATE TABLE guardian_action_marks (
    span TEXT NOT NULL CHECK (span IN ('minute', 'hour')),
    start_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL,
    device_id TEXT NOT NULL,
    repeated INTEGER NOT NULL,
    retried INTEGER NOT NULL,
    novel INTEGER NOT NULL,
    executed_elevated INTEGER NOT NULL,
    executed_by_grant INTEGER NOT NULL,
    uncontrolled INTEGER NOT NULL,
    PRIMARY KEY (span, start_ms, user_id, action_type, device_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO settings (name, value)
    SELECT 'actionMarksFromMs', CAST(at_ms AS TEXT) FROM (SELECT max(at_ms) + 1 AS at_ms FROM journal) WHERE at_ms IS NOT NULL;
`;
