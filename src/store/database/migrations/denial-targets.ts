/**
 * A denial counts for the type and target of an action, regardless of its other parameters. Denials of the last ten minutes
 * before this migration still count for exactly the action that was denied.
 */
export const DENIAL_TARGETS = `
  ALTER TABLE confirmations ADD COLUMN target_digest TEXT;
  ALTER TABLE confirmation_steps ADD COLUMN target_digest TEXT;
  UPDATE confirmations SET target_digest = action_digest
    WHERE status = 'denied' AND action_id IS NOT NULL AND decided_at_ms > unixepoch() * 1000 - 600000;
  UPDATE confirmation_steps SET target_digest = action_digest
    WHERE consent = 'asked' AND confirmation_id IN
      (SELECT id FROM confirmations WHERE status = 'denied' AND decided_at_ms > unixepoch() * 1000 - 600000);
  DROP INDEX confirmations_denied;
  DROP INDEX confirmation_steps_by_digest;
  CREATE INDEX confirmations_denied ON confirmations (user_id, target_digest, decided_at_ms) WHERE status = 'denied';
  CREATE INDEX confirmation_steps_by_target ON confirmation_steps (target_digest) WHERE consent = 'asked';
`;
