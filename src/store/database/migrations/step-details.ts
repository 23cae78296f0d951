/** Why a step ended without success. Steps that ended before this migration have no such sentence. */
export const STEP_DETAILS = `
  ALTER TABLE task_steps ADD COLUMN details TEXT;
`;
