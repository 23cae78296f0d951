/**
 * An action that names a window by its id is bound to the window that the person was told about. Grants for such actions end,
 * because another window may have the id by now.
 */
export const WINDOWS = `
  ALTER TABLE actions ADD COLUMN window TEXT CHECK (window IS NULL OR json_valid(window));
  ALTER TABLE task_steps ADD COLUMN window TEXT CHECK (window IS NULL OR json_valid(window));
  UPDATE grants SET revoked_at_ms = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE revoked_at_ms IS NULL AND json_extract(arguments, '$.windowId') IS NOT NULL;
`;
