/** Where the paths of a step led when its task was submitted. Steps from before this migration have none: their plans show the paths as submitted. */
export const STEP_FILES = `
  ALTER TABLE task_steps ADD COLUMN files TEXT;
`;
