import { type Static, Type } from 'typebox';
import { Effect, EffectClass, EvidenceRole, FailureCode, SideEffect } from './action.ts';
import { Bounds, Capabilities, Displays, Permissions, Platform } from './device.ts';
import { UndoFacts } from './files.ts';
import { ActionId, ArtifactId, Sha256 } from './ids.ts';
import { closed, oneOf } from './literals.ts';
import type { TakeScreenshotParameters } from './parameters.ts';
import { Target } from './targets.ts';

/**
 * The link between daemon and device agent: JSON-RPC 2.0 over one WebSocket.
 * Two unions, one for each direction. Binary frames carry the attachments a result has announced:
 * 4 bytes header length (unsigned, big endian), a JSON header `{ id }`, then the bytes.
 */

export const LINK_PROTOCOL = 1;
/** Questions to the agent that change nothing. They are no action types, so nobody can submit them. */
/** Says what the targets of an action are now. Nothing is done. */
export const RESOLVE_TARGETS = 'ResolveTargets';
/** Puts a file back that an action overwrote or trashed. Only the person can ask for it, at the dashboard. */
export const UNDO_FILE = 'UndoFile';
/** Asks the agent to look at displays and permissions at once. It reports them as `agent.status` when they have changed. */
export const LOOK_AGAIN = 'LookAgain';
/** Takes a picture of the place of an input, for the person alone. */
export const PICTURE_PLACE = 'PicturePlace';
export const LINK_PATH = '/api/tee/agent';
export const MAX_TEXT_FRAME_BYTES = 2 * 1024 * 1024;
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
/** A frame may carry a whole attachment and its header. */
export const MAX_FRAME_BYTES = MAX_ATTACHMENT_BYTES + 1024;
export const HELLO_TIMEOUT_MS = 5_000;
export const HEARTBEAT_MS = 10_000;
export const SILENCE_LIMIT_MS = 25_000;

export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
  tooBig: 1009,
  protocolError: 4400,
  unauthorized: 4401,
  unsupportedVersion: 4406,
  timeout: 4408,
  replaced: 4409,
  flood: 4429,
} as const;

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  cancelled: -32800,
  notSupported: -32001,
  permissionMissing: -32002,
  appNotFound: -32003,
  timeout: -32004,
  busy: -32005,
  artifactRejected: -32006,
  staleAttempt: -32007,
} as const;

const Attempt = Type.Integer({ minimum: 1 });
const AttemptKey = { actionId: ActionId, attempt: Attempt };

export const HelloParams = Type.Object(
  {
    protocol: Type.Integer(),
    agentVersion: Type.String({ maxLength: 64 }),
    bootId: Type.String({ maxLength: 64 }),
    pid: Type.Integer(),
    platform: Platform,
    hostname: Type.String({ maxLength: 255 }),
    displays: Displays,
    permissions: Permissions,
    actionTypes: Type.Array(Type.String()),
    inflight: Type.Array(Type.Object({ ...AttemptKey, phase: oneOf(['accepted', 'performing']) }, closed)),
    unacknowledged: Type.Array(Type.Object(AttemptKey, closed)),
  },
  closed,
);
export type HelloParams = Static<typeof HelloParams>;

/** The daemon's decision on each attempt that a hello reported: continue, report the outcome, forget it, or stop it. */
export const HelloVerdict = Type.Object(
  { ...AttemptKey, verdict: oneOf(['continue', 'report', 'forget', 'cancel']) },
  closed,
);
export type HelloVerdict = Static<typeof HelloVerdict>;

export const HelloResult = Type.Object(
  {
    protocol: Type.Integer(),
    sessionId: Type.String(),
    heartbeatMs: Type.Integer(),
    maxFrameBytes: Type.Integer(),
    verdicts: Type.Array(HelloVerdict),
  },
  closed,
);
export type HelloResult = Static<typeof HelloResult>;

/** How the pictures of an input's target are made: small, since there may be thousands a day. */
export const EVIDENCE_MANNER = {
  format: 'jpeg',
  quality: 60,
  maxWidth: 960,
} as const satisfies TakeScreenshotParameters;

/** The part of the screen around the target of an input, and the window around that where it is larger. */
export const EvidencePlace = Type.Object({ region: Bounds, whole: Type.Optional(Bounds) }, closed);
export type EvidencePlace = Static<typeof EvidencePlace>;

/** `deadlineMs` is the time the action may take from now on, in milliseconds: clocks need not agree. */
export const PerformParams = Type.Object(
  {
    ...AttemptKey,
    actionType: Type.String(),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    capabilities: Capabilities,
    effectClass: EffectClass,
    deadlineMs: Type.Integer({ minimum: 0 }),
    digest: Sha256,
    /** The targets of the action as they were when it was judged. The agent refuses when one has changed. */
    targets: Type.Optional(Type.Array(Target)),
    /** Whose references `@n` the parameters name: each requester has its own. */
    requester: Type.Optional(Type.String()),
    /** Where the former version of a file is to be kept when it is overwritten. */
    keepAt: Type.Optional(Type.String()),
    /** The file that holds the contents of an artifact which the parameters name. */
    contents: Type.Optional(Type.Object({ path: Type.String(), sha256: Sha256 }, closed)),
    /** The place that the person gets pictures of, before and after an input. */
    evidence: Type.Optional(EvidencePlace),
    /** The programs that show a signed-in dashboard, by process or by the name of the app: a picture of the screen has none of their windows. */
    dashboards: Type.Optional(
      Type.Object({ pids: Type.Array(Type.Integer()), apps: Type.Array(Type.String()) }, closed),
    ),
  },
  closed,
);
export type PerformParams = Static<typeof PerformParams>;

/** Pictures; the bytes of a file; the output of a script. */
export const ARTIFACT_MEDIA_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/octet-stream',
  'text/plain',
] as const;

export const Attachment = Type.Object(
  {
    id: ArtifactId,
    mediaType: oneOf(ARTIFACT_MEDIA_TYPES),
    /** In pixels; 0 for a file that is no picture. */
    width: Type.Integer({ minimum: 0 }),
    height: Type.Integer({ minimum: 0 }),
    sizeBytes: Type.Integer({ minimum: 0 }),
    sha256: Sha256,
    /** Only the person may see it. */
    role: Type.Optional(EvidenceRole),
  },
  closed,
);
export type Attachment = Static<typeof Attachment>;

export const PerformResult = Type.Object(
  {
    details: Type.String({ maxLength: 20_000 }),
    effect: Effect,
    data: Type.Optional(Type.Unknown()),
    attachments: Type.Array(Attachment, { maxItems: 8 }),
    /** How the person can undo it, if they can. */
    undo: Type.Optional(UndoFacts),
  },
  closed,
);
export type PerformResult = Static<typeof PerformResult>;

export const PerformFailure = Type.Object(
  {
    code: FailureCode,
    sideEffect: SideEffect,
    fix: Type.Optional(Type.String({ maxLength: 2_000 })),
    /** Pictures for the person alone, of the place of an input. */
    attachments: Type.Optional(Type.Array(Attachment, { maxItems: 8 })),
  },
  closed,
);
export type PerformFailure = Static<typeof PerformFailure>;

export const CancelReason = oneOf(['requested', 'timeout', 'device_removed', 'shutdown', 'emergency_stop']);
export type CancelReason = Static<typeof CancelReason>;

const RequestId = Type.String({ maxLength: 128 });
const Frame = { jsonrpc: Type.Literal('2.0') };

const Hello = Type.Object(
  { ...Frame, id: RequestId, method: Type.Literal('agent.hello'), params: HelloParams },
  closed,
);

const Accepted = Type.Object(
  { ...Frame, method: Type.Literal('action.accepted'), params: Type.Object(AttemptKey, closed) },
  closed,
);

export const AgentStatusParams = Type.Object(
  {
    displays: Displays,
    permissions: Permissions,
    /** Why the sandbox of scripts does not work, if the agent found that out when it started. */
    scriptsFail: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  closed,
);
export type AgentStatusParams = Static<typeof AgentStatusParams>;

const AgentStatus = Type.Object(
  {
    ...Frame,
    method: Type.Literal('agent.status'),
    params: AgentStatusParams,
  },
  closed,
);

const Result = Type.Object({ ...Frame, id: RequestId, result: PerformResult }, closed);

const Failure = Type.Object(
  {
    ...Frame,
    id: Type.Union([RequestId, Type.Null()]),
    error: Type.Object(
      { code: Type.Integer(), message: Type.String({ maxLength: 4_000 }), data: Type.Optional(PerformFailure) },
      closed,
    ),
  },
  closed,
);

/** Everything an agent may say. */
export const AgentMessage = Type.Union([Hello, Accepted, AgentStatus, Result, Failure]);
export type AgentMessage = Static<typeof AgentMessage>;

const Perform = Type.Object(
  { ...Frame, id: RequestId, method: Type.Literal('action.perform'), params: PerformParams },
  closed,
);

const Acknowledge = Type.Object(
  { ...Frame, method: Type.Literal('action.acknowledge'), params: Type.Object(AttemptKey, closed) },
  closed,
);

const Cancel = Type.Object(
  {
    ...Frame,
    method: Type.Literal('action.cancel'),
    params: Type.Object({ ...AttemptKey, reason: CancelReason }, closed),
  },
  closed,
);

const HelloAnswer = Type.Object({ ...Frame, id: RequestId, result: HelloResult }, closed);

const Refusal = Type.Object(
  {
    ...Frame,
    id: Type.Union([RequestId, Type.Null()]),
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }, closed),
  },
  closed,
);

/** Everything the daemon may say. */
export const DaemonMessage = Type.Union([Perform, Acknowledge, Cancel, HelloAnswer, Refusal]);
export type DaemonMessage = Static<typeof DaemonMessage>;

/** The JSON header in front of the bytes of a binary frame. */
export const AttachmentHeader = Type.Object({ id: ArtifactId }, closed);

/** Messages between parent and child over their own channel, which carries the token and no contents of actions. */
export const ParentMessage = Type.Union([
  Type.Object({ type: Type.Literal('connect'), url: Type.String(), token: Type.String() }, closed),
  Type.Object({ type: Type.Literal('stop') }, closed),
]);
export type ParentMessage = Static<typeof ParentMessage>;

export const ChildMessage = Type.Union([Type.Object({ type: Type.Literal('token_wanted') }, closed)]);
export type ChildMessage = Static<typeof ChildMessage>;

/** The id of the request, and of its answer, that carries one attempt of an action. */
export function requestIdOf({ actionId, attempt }: { actionId: string; attempt: number }): string {
  return `${actionId}/${attempt}`;
}

/** How an agent's process ends when the daemon has refused it for good: starting it again would change nothing. */
export const REFUSED_EXIT_CODE = 78;
