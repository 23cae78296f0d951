/** Whether the person ever allowed a user anything is asked for every submission, and a flood leaves many prompts unanswered. */
export const ALLOWED_USERS = `
  CREATE INDEX confirmations_allowed ON confirmations (user_id) WHERE status = 'allowed';
`;
