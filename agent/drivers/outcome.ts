import type { Effect, EvidenceRole, FailureCode, SideEffect } from '../../src/contract/action.ts';
import type { UndoFacts } from '../../src/contract/files.ts';
import type { PerformParams } from '../../src/contract/link.ts';
import type { Target } from '../../src/contract/targets.ts';

/** Bytes that belong to an outcome; the runtime gives them an id, a size and a digest. */
export type Image = {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  bytes: Uint8Array;
  /** For a picture that only the person gets: taken before or after an input. */
  role?: EvidenceRole;
};

/** Bytes of a file or of a program's output that belong to an outcome. */
export type FileBytes = {
  mediaType: 'application/octet-stream' | 'text/plain';
  bytes: Uint8Array;
  /** The digest of the bytes, if it is known already. */
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
  /** Only of a failed input: pictures that only the person gets. */
  images?: readonly Image[];
  /** A password field was met: no picture of the place may be kept. */
  isPrivate?: boolean;
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
  /** Whose references `@n` the parameters name. */
  requester?: string | undefined;
  /** Where the former version of a file is to be kept when it is overwritten. */
  keepAt?: string | undefined;
  /** The file that holds the contents of an artifact which the parameters name. */
  contents?: { path: string; sha256: string } | undefined;
  /** The place that the person gets pictures of, before and after an input. */
  evidence?: PerformParams['evidence'];
  /** The programs whose windows a picture of the screen does not show. */
  dashboards?: PerformParams['dashboards'];
  /** Settles when the picture before the input is taken. */
  pictured?: Promise<unknown> | undefined;
  /** Called immediately before the effect of an input. It answers why there must be none, if so. */
  lastLook?: (() => Promise<Failed | null>) | undefined;
  /** Called between the keys of one input. It answers why the others must not be sent, if so. */
  lookBetween?: (() => Promise<Failed | null>) | undefined;
  /** Called when the last look has found no objection: from then on something may have been done. */
  begin?: (() => void) | undefined;
};
