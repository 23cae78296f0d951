/** A grant may be good for one task. */
export const TASK_GRANTS = `
  ALTER TABLE grants ADD COLUMN task_id TEXT REFERENCES tasks (id);
`;
