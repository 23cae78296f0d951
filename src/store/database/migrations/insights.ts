/** Insights and their status. */
export const INSIGHTS = `
  CREATE TABLE guardian_insights (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    finding TEXT NOT NULL CHECK (json_valid(finding)),
    status TEXT NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
    first_seen_ms INTEGER NOT NULL,
    last_seen_ms INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),
    told_severity TEXT CHECK (told_severity IN ('info', 'warning', 'high', 'critical'))
  ) STRICT, WITHOUT ROWID;
`;
