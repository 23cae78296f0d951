/** Whether the person cancelled an action by itself: its task then counts as one in which a person intervened. */
export const PERSON_CANCELS = `
  ALTER TABLE actions ADD COLUMN cancelled_by_person INTEGER NOT NULL DEFAULT 0 CHECK (cancelled_by_person IN (0, 1));
`;
