/** Counts of actions tell devices apart. Earlier counts do not know the device: theirs is empty. */
export const DEVICE_GROUPS = `
  ALTER TABLE guardian_action_groups RENAME TO guardian_action_groups_before;
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
  INSERT INTO guardian_action_groups
    SELECT span, start_ms, user_id, action_type, '', risk_level, status, actions FROM guardian_action_groups_before;
  DROP TABLE guardian_action_groups_before;
`;
