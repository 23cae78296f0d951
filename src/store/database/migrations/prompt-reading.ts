/**
 * How much text a prompt showed, and how it was read: whether it was opened to its end, and how long it was on screen before the page
 * reported it as fully shown. Prompts from before this step have none of it. The latest answers, and earlier approvals of the same
 * request, are found without reading other prompts.
 */
export const PROMPT_READING = `
  ALTER TABLE confirmations ADD COLUMN characters INTEGER CHECK (characters >= 0);
  ALTER TABLE confirmations ADD COLUMN opened_to_end INTEGER CHECK (opened_to_end IN (0, 1));
  ALTER TABLE confirmations ADD COLUMN on_screen_ms INTEGER CHECK (on_screen_ms >= 0);
  CREATE INDEX confirmations_answered ON confirmations (decided_at_ms) WHERE status IN ('allowed', 'denied');
  CREATE INDEX confirmations_allowed_requests ON confirmations (user_id, action_digest, decided_at_ms) WHERE status = 'allowed';
`;
