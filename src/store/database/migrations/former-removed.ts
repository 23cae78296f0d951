/** When the kept copy of an overwritten file was removed early, to make room for newer ones. */
export const FORMER_REMOVED = `
  ALTER TABLE undos ADD COLUMN former_removed_at_ms INTEGER;
`;
