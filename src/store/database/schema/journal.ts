/** The journal, each row chained to the one before. A checkpoint stands in for the rows up to it, which may then be removed. */
export const JOURNAL = `
  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    device_id TEXT,
    action_id TEXT,
    confirmation_id TEXT,
    metadata TEXT NOT NULL CHECK (json_valid(metadata)),
    previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
  ) STRICT;

  CREATE TABLE journal_checkpoints (
    seq INTEGER PRIMARY KEY,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    rows_pruned INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 32)
  ) STRICT;

  CREATE TRIGGER journal_is_never_updated BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
    WHEN old.seq > (SELECT coalesce(max(seq), 0) FROM journal_checkpoints)
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`;
