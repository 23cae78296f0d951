/** Actions on files keep where their paths led when they were judged. The person names folders that requesters may use. */
export const FILES = `
  ALTER TABLE actions ADD COLUMN files TEXT CHECK (files IS NULL OR json_valid(files));
  CREATE TABLE allowed_folders (
    user_id TEXT NOT NULL,
    path TEXT NOT NULL,
    access TEXT NOT NULL CHECK (access IN ('read', 'write')),
    added_at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, path)
  ) STRICT;
`;
