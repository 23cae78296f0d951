/** What trends remember, so that a restart does not make Guardian forget what is usual. */
export const TRENDS = `
  CREATE TABLE guardian_trends (
    span TEXT NOT NULL,
    metric_type TEXT NOT NULL,
    trend TEXT NOT NULL CHECK (json_valid(trend)),
    state TEXT NOT NULL CHECK (json_valid(state)),
    PRIMARY KEY (span, metric_type)
  ) STRICT, WITHOUT ROWID;
`;
