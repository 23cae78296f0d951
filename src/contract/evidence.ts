import { type Static, Type } from 'typebox';
import { Bounds } from './device.ts';
import { closed } from './literals.ts';
import type { TakeScreenshotParameters } from './parameters.ts';

/** How the pictures of an input's target are made: small, since there may be thousands a day. */
export const EVIDENCE_MANNER = {
  format: 'jpeg',
  quality: 60,
  maxWidth: 960,
} as const satisfies TakeScreenshotParameters;

/** The part of the screen around the target of an input, and the window around that where it is larger. */
export const EvidencePlace = Type.Object({ region: Bounds, whole: Type.Optional(Bounds) }, closed);
export type EvidencePlace = Static<typeof EvidencePlace>;
