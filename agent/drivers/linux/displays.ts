import type { Display } from '../../../src/contract/device.ts';

/** The displays of one X server, by RandR. Made by `createDisplays(environment)`. */
export type Displays = {
  /** Never throws; no display, or none that can be reached, is an empty list. Bounds are X11 pixels, `scale` is 1. */
  readDisplays(): Promise<Display[]>;
  close(): Promise<void>;
};
