/** The pictures of an input are kept so long after its end at most. */
export const EVIDENCE_WITHIN_MS = 10_000;
