/** The sequence number of the last event that Guardian's rollups contain. Earlier versions counted each event with its own transaction. */
export const COUNTED_JOURNAL = `
  INSERT INTO settings (name, value)
    SELECT 'guardianCountedSeq', CAST(seq AS TEXT) FROM (SELECT max(seq) AS seq FROM journal) WHERE seq IS NOT NULL;
`;
