/**
 * Only denials are looked up by their digest, so the index holds denials alone. A look-up then skips the many prompts of an
 * action that is requested again and again, and most prompts need no index entry.
 */
export const DENIALS = `
  DROP INDEX confirmations_by_digest;
  CREATE INDEX confirmations_denied ON confirmations (user_id, action_digest, decided_at_ms) WHERE status = 'denied';
`;
