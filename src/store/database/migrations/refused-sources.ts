/** Where refused requests came from, by the hour: the host of a web page, or the user id that was claimed. */
export const REFUSED_SOURCES = `
  CREATE TABLE guardian_refused_sources (
    hour_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    source TEXT NOT NULL,
    times INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (hour_ms, code, source)
  ) STRICT, WITHOUT ROWID;
`;
