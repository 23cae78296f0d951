import type { DegradedReason, ScreenDescription } from '../../../src/contract/screen.ts';

/** The description of a screen that could not be looked at, with the reasons why; in every driver the same. */
export function unseenScreen(frameId: string, degradedReasons: DegradedReason[]): ScreenDescription {
  return {
    displays: [],
    frontmostApp: null,
    apps: [],
    windows: [],
    elements: [],
    text: [],
    focusedElement: null,
    frameId,
    complete: false,
    degradedReasons,
  };
}
