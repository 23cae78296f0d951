/**
 * Only a denial is ever looked for by what it was for. The prompts of an action that is asked about again and again need not be
 * gone through for it, and most need no entry at all.
 */
export const DENIALS = `
  DROP INDEX confirmations_by_digest;
  CREATE INDEX confirmations_denied ON confirmations (user_id, action_digest, decided_at_ms) WHERE status = 'denied';
`;
