/** Requests that were refused for a missing capability, by the hour: an insight tells the person who makes them. */
export const REFUSED_REQUESTS = `
  CREATE TABLE guardian_refused_requests (
    hour_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    capability TEXT NOT NULL,
    times INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (hour_ms, user_id, capability)
  ) STRICT, WITHOUT ROWID;
`;
