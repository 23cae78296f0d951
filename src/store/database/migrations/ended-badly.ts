/**
 * The person filters the activity by how actions ended. Most succeed, so those that did not are found by an index of their own; it
 * costs nothing while an action succeeds.
 */
export const ENDED_BADLY = `
  CREATE INDEX actions_ended_badly ON actions (id)
    WHERE status IN ('failed', 'denied', 'expired', 'cancelled', 'blocked', 'unknown');
`;
