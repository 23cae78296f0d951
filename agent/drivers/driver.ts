import type { Effect, FailureCode, SideEffect } from '../../src/contract/action.ts';
import type { Display, Permissions, Platform } from '../../src/contract/device.ts';
import type { UndoFacts } from '../../src/contract/file-undo.ts';
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
import type { Target } from '../../src/contract/targets.ts';

/** Bytes that belong to an outcome; the runtime gives them an id, a size and a digest. */
export type Image = {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  bytes: Uint8Array;
};

/** Bytes of a file or of a program's output that belong to an outcome. */
export type FileBytes = {
  mediaType: 'application/octet-stream' | 'text/plain';
  bytes: Uint8Array;
  /** Of the bytes, where it is known already. */
  sha256?: string;
};

export type Done<Data> = {
  ok: true;
  /** One sentence, or for a description a paragraph, that a person can read aloud. */
  details: string;
  effect: Effect;
  data: Data;
  images?: readonly Image[];
  attachments?: readonly FileBytes[];
  /** How the person can undo it, if they can. */
  undo?: UndoFacts;
};

export type Failed = {
  ok: false;
  code: FailureCode;
  message: string;
  /** Advice for the person. */
  fix?: string;
  sideEffect: SideEffect;
};

/** An expected failure is a value; a driver rejects only when it is broken. */
export type Outcome<Data> = Done<Data> | Failed;

export type Attempt = {
  /** Aborts on cancel and on deadline; `signal.reason` is the CancelReason, or `DAEMON_STUCK`. */
  signal: AbortSignal;
  /** Time the action may take from its start, in milliseconds. */
  deadlineMs: number;
  /** The targets as they were judged. Before its effect the action compares each with the target as it is now. */
  targets?: readonly Target[] | undefined;
  /** Where the former version of a file is to be kept when it is overwritten. */
  keepAt?: string | undefined;
  /** The file that holds the contents of an artifact which the parameters name. */
  contents?: { path: string; sha256: string } | undefined;
};

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
   * One image, in physical pixels unless `maxWidth` asks for fewer. A window's picture holds its own pixels and not what covers
   * it, and is taken only while the window is as `attempt.targets` says.
   */
  takeScreenshot(parameters: TakeScreenshotParameters, attempt: Attempt): Promise<Outcome<ScreenshotData>>;
  /** Never fails for a missing display or permission: answers `complete: false` with the reasons. */
  describeScreen(parameters: DescribeScreenParameters, attempt: Attempt): Promise<Outcome<ScreenDescription>>;
  /** Loads what would make the first action slow. Called once after the link is up; failures surface in actions. */
  warmUp(): Promise<void>;
  /** Releases held keys, helper processes and connections. */
  close(): Promise<void>;
};
