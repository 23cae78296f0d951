/** Stored titles of these insights name a step for every reader. They are found again, if their steps still fail. */
export const STEP_NAMES = `
  DELETE FROM guardian_insights WHERE subject LIKE 'same_step_failing %';
`;
