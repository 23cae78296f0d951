/** When the person made a denial that can still be undone, so that it counts even if the daemon ends before it is recorded. */
export const HELD_DENIALS = `
  ALTER TABLE confirmations ADD COLUMN denial_held_at_ms INTEGER;
`;
