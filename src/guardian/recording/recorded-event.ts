/** A row of the journal, as far as it is counted. */
export type RecordedEvent = {
  seq: number;
  atMs: number;
  kind: string;
  userId?: string | undefined;
  actionId?: string | undefined;
  confirmationId?: string | undefined;
  metadata?: { [name: string]: unknown } | undefined;
};
