import { type Static, Type } from 'typebox';
import { ActionData } from './action-data.ts';
import { ACTION_EXAMPLES } from './examples.ts';
import { FileUndo } from './files.ts';
import { ActionId, ArtifactId, ConfirmationId, DeviceId, Sha256, TaskId, Timestamp, UserId } from './ids.ts';
import { closed, oneOf } from './literals.ts';
import { RiskLevel } from './risk-level.ts';

/** Why an action failed on the device: codes the agent reports, and those the daemon adds when the agent cannot. */
export const FailureCode = oneOf([
  'app_not_found',
  'permission_missing',
  'display_unavailable',
  'timeout',
  'target_gone',
  'target_changed',
  'coordinates_off_screen',
  'not_supported',
  'busy',
  'invalid_target',
  'artifact_rejected',
  'agent_unavailable',
  'already_exists',
  'too_large',
  'sandbox_unavailable',
  'stale_frame',
  'interrupted_by_person',
  'not_typable',
  'nobody_reached',
  'script_failed',
  'internal_error',
]);
export type FailureCode = Static<typeof FailureCode>;

export { RiskLevel };

/** The effect of a second run: `pure` only reads, `idempotent` is harmless to repeat, `once` must never be repeated. */
export const EffectClass = oneOf(['pure', 'idempotent', 'once']);
export type EffectClass = Static<typeof EffectClass>;

/** `none`: nothing was changed. `confirmed`: evidence was seen. `unverified`: done, but nothing proves it. */
export const Effect = oneOf(['none', 'confirmed', 'unverified']);
export type Effect = Static<typeof Effect>;

/** Whether a failed action may still have changed something. */
export const SideEffect = oneOf(['none', 'done', 'unknown']);
export type SideEffect = Static<typeof SideEffect>;

export const Verdict = oneOf(['allow', 'ask', 'block']);
export type Verdict = Static<typeof Verdict>;

export const PROFILE_NAME = '^[a-z][a-z0-9-]{0,39}$';

export const ACTION_STATUSES = [
  'awaiting_confirmation',
  'queued',
  'running',
  'success',
  'failed',
  'denied',
  'expired',
  'cancelled',
  'blocked',
  'unknown',
] as const;
export const ActionStatus = oneOf(ACTION_STATUSES);
export type ActionStatus = Static<typeof ActionStatus>;

/** The description of the default of `timeoutMs`. */
export const TIMEOUT = '30 s by default; for Wait: its duration plus 5 s, if longer';

export const ActionSubmission = Type.Object(
  {
    targetDeviceId: Type.String({ maxLength: 64 }),
    actionType: Type.String({ minLength: 1, maxLength: 64 }),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: "the caller's own words, shown to the person as a claim" }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000, description: TIMEOUT })),
    profile: Type.Optional(
      Type.String({
        pattern: PROFILE_NAME,
        description: 'a narrower profile for this one submission; it can never allow more than the assigned one',
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'explain what would happen, and do nothing' })),
  },
  {
    ...closed,
    examples: ACTION_EXAMPLES,
  },
);
export type ActionSubmission = Static<typeof ActionSubmission>;

export const Risk = Type.Object({ level: RiskLevel, reasons: Type.Array(Type.String()) }, closed);
export type Risk = Static<typeof Risk>;

export const Artifact = Type.Object(
  {
    id: ArtifactId,
    mediaType: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    sizeBytes: Type.Integer(),
    sha256: Sha256,
    url: Type.String(),
  },
  closed,
);
export type Artifact = Static<typeof Artifact>;

export const EvidenceRole = oneOf(['before', 'after']);
export type EvidenceRole = Static<typeof EvidenceRole>;

const { url: _ofRequesters, ...picture } = Artifact.properties;

/** A picture of the target of an input, for the person alone. */
export const Evidence = Type.Object({ ...picture, role: EvidenceRole }, closed);
export type Evidence = Static<typeof Evidence>;

export const ActionError = Type.Object(
  {
    code: FailureCode,
    message: Type.String(),
    fix: Type.Optional(Type.String()),
    retryable: Type.Boolean(),
  },
  closed,
);
export type ActionError = Static<typeof ActionError>;

/** The prompt that a record waits for. */
export const awaitedPrompt = {
  id: ConfirmationId,
  expiresAt: Timestamp,
  denialFinalAt: Type.Optional(
    Type.Unsafe<string>(
      Type.With(Timestamp, { description: 'the person denied it, and may still change that until then' }),
    ),
  ),
};

export const Action = Type.Object(
  {
    actionId: ActionId,
    actionType: Type.String(),
    targetDeviceId: DeviceId,
    userId: UserId,
    taskId: Type.Optional(TaskId),
    stepId: Type.Optional(Type.String()),
    status: ActionStatus,
    details: Type.String({ description: 'a sentence a person can read' }),
    risk: Risk,
    effect: Effect,
    data: Type.Optional(
      Type.Unsafe<unknown>(Type.With(ActionData, { description: 'the result, in the shape of the action type' })),
    ),
    artifacts: Type.Optional(Type.Array(Artifact)),
    error: Type.Optional(ActionError),
    undo: Type.Optional(FileUndo),
    confirmation: Type.Optional(Type.Object(awaitedPrompt, closed)),
    reason: Type.Optional(Type.String()),
    createdAt: Timestamp,
    decidedAt: Type.Optional(Timestamp),
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
    durationMs: Type.Optional(Type.Number({ description: 'from start to end on the device' })),
  },
  closed,
);
export type Action = Static<typeof Action>;

export const DryRun = Type.Object(
  {
    dryRun: Type.Literal(true),
    actionType: Type.String(),
    targetDeviceId: DeviceId,
    verdict: Verdict,
    rule: Type.String({ description: 'the rule that decided, as a sentence' }),
    risk: Risk,
    target: Type.Union([Type.String(), Type.Null()]),
    missingPermissions: Type.Array(Type.String()),
    details: Type.String(),
  },
  closed,
);
export type DryRun = Static<typeof DryRun>;

export const ActionType = Type.Object(
  {
    name: Type.String(),
    summary: Type.String(),
    capability: Type.Union([Type.String(), Type.Null()]),
    baseRisk: RiskLevel,
    effectClass: EffectClass,
    parameters: Type.Unknown({ description: 'JSON Schema of the parameters' }),
  },
  closed,
);
export type ActionType = Static<typeof ActionType>;
