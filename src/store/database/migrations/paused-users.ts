/** Finds paused users without reading the others. */
export const PAUSED_USERS = `
  CREATE INDEX users_paused ON users (paused_at_ms) WHERE paused_at_ms IS NOT NULL;
`;
