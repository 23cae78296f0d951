import type { Display, Permissions, Platform } from '../../src/contract/device.ts';
import type {
  DescribeScreenParameters,
  OpenAppParameters,
  QuitAppParameters,
  ResolveWindowParameters,
  TakeScreenshotParameters,
} from '../../src/contract/parameters.ts';
import type {
  OpenedApp,
  QuitResult,
  ResolvedApp,
  ResolvedWindow,
  ScreenDescription,
  ScreenshotData,
} from '../../src/contract/screen.ts';
import type { InputDriver } from './input.ts';
import type { Attempt, Outcome } from './outcome.ts';
import type { Overlay } from './pictures/drawn-marks.ts';

export type Environment = { displays: Display[]; permissions: Permissions };

/**
 * The actions of a device agent on one kind of desktop. All implementations pass test/agent/driver-contract.ts. The daemon
 * has validated the parameters against the contract schemas.
 */
export type Driver = {
  platform: Platform;
  /** Displays and permissions as they are now. Never prompts, never throws; no display means an empty list. */
  environment(): Promise<Environment>;
  /** Which app a name leads to, by the rules of `openApp` and without doing anything. */
  resolveApp(parameters: OpenAppParameters, attempt: Attempt): Promise<Outcome<ResolvedApp>>;
  /** Which window on the screen has an id; nothing is done. */
  resolveWindow(parameters: ResolveWindowParameters, attempt: Attempt): Promise<Outcome<ResolvedWindow>>;
  /** Resolves the name, opens the app, verifies process and window. */
  openApp(parameters: OpenAppParameters, attempt: Attempt): Promise<Outcome<OpenedApp>>;
  /** Asks the app to close, never ends it by force, and watches what it does; `busy` when it asks the person something. */
  quitApp(parameters: QuitAppParameters, attempt: Attempt): Promise<Outcome<QuitResult>>;
  /**
   * One image, in physical pixels unless `maxWidth`, `maxEdge` or `maxPixels` asks for fewer. A window's picture holds its own pixels and not what covers
   * it, and is taken only while the window is as `attempt.targets` says.
   */
  takeScreenshot(
    parameters: TakeScreenshotParameters,
    attempt: Attempt,
    overlay?: Overlay,
  ): Promise<Outcome<ScreenshotData>>;
  /** Never fails for a missing display or permission: answers `complete: false` with the reasons. */
  describeScreen(parameters: DescribeScreenParameters, attempt: Attempt): Promise<Outcome<ScreenDescription>>;
  /** Pointer, keyboard and windows. Made at the first call. */
  input(): InputDriver;
  /** Loads what would make the first action slow. Called once after the link is up; failures surface in actions. */
  warmUp(): Promise<void>;
  /** Releases held keys, helper processes and connections. */
  close(): Promise<void>;
};
