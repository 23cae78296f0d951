/**
 * The program that submitted an action or a task about which the person is asked. `subject_id` is the action or the task. Rows with
 * the same `name_key` are of the same program.
 */
export const CALLING_PROGRAMS = `
  CREATE TABLE calling_programs (
    subject_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    name_key TEXT NOT NULL,
    program TEXT NOT NULL CHECK (json_valid(program)),
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX calling_programs_by_user ON calling_programs (user_id, at_ms);
  CREATE INDEX calling_programs_by_age ON calling_programs (at_ms);
`;
