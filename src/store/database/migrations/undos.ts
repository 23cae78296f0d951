/** What actions on files left, so that the person can put the files back. */
export const UNDOS = `
  CREATE TABLE undos (
    action_id TEXT PRIMARY KEY,
    facts TEXT NOT NULL CHECK (json_valid(facts)),
    until_ms INTEGER NOT NULL,
    undone_at_ms INTEGER
  ) STRICT;
  CREATE INDEX undos_by_end ON undos (until_ms);
`;
