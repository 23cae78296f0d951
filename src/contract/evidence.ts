import type { TakeScreenshotParameters } from './parameters.ts';

/** How the pictures of an input's target are made: small, since there may be thousands a day. */
export const EVIDENCE_MANNER = {
  format: 'jpeg',
  quality: 60,
  maxWidth: 960,
} as const satisfies TakeScreenshotParameters;
