/** The stored state of trends, so that Guardian still knows the usual values after a restart. */
export const TRENDS = `
  CREATE TABLE guardian_trends (
    span TEXT NOT NULL,
    metric_type TEXT NOT NULL,
    trend TEXT NOT NULL CHECK (json_valid(trend)),
    state TEXT NOT NULL CHECK (json_valid(state)),
    PRIMARY KEY (span, metric_type)
  ) STRICT, WITHOUT ROWID;
`;
