/** More counters of tried controls, and the time in which nobody could have used the agent. */
export const CONTROLS = `
  ALTER TABLE guardian_rollups ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE guardian_rollups ADD COLUMN digest_mismatched INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE guardian_up_intervals ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0 CHECK (is_locked IN (0, 1));
`;
