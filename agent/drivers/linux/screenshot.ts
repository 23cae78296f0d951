import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ScreenshotData } from '../../../src/contract/screen.ts';
import type { Attempt, Outcome } from '../driver.ts';
import type { Displays } from './displays.ts';

/** What `createScreenshots(sources)` needs to know of the desktop. */
export type ScreenshotSources = {
  displays: Displays;
  /** Where a window of DescribeScreen is, in root coordinates; `null` when there is no such window, or it is not shown. */
  windowBounds(windowId: string): Promise<Bounds | null>;
};

export type Screenshots = {
  takeScreenshot(parameters: TakeScreenshotParameters, attempt: Attempt): Promise<Outcome<ScreenshotData>>;
  /** Loads nut.js and sharp, which the first capture would otherwise wait for. Never throws. */
  warmUp(): Promise<void>;
};
