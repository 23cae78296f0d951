import { type Static, Type } from 'typebox';
import { ActionError, awaitedPrompt, PROFILE_NAME, Risk, TIMEOUT, Verdict } from './action.ts';
import { TASK_EXAMPLES } from './examples.ts';
import { ActionId, DeviceId, TaskId, Timestamp, UserId } from './ids.ts';
import { closed, oneOf } from './literals.ts';

export const MAX_STEPS = 100;

/** The most bytes that the steps of one task may have as JSON. */
export const MAX_TASK_BYTES = 256 * 1024;

export const STEP_STATUSES = [
  'pending',
  'awaiting_confirmation',
  'running',
  'success',
  'failed',
  'skipped',
  'cancelled',
  'denied',
  'expired',
  'blocked',
  'unknown',
] as const;
export const StepStatus = oneOf(STEP_STATUSES);
export type StepStatus = Static<typeof StepStatus>;

export const TASK_STATUSES = [
  'pending',
  'running',
  'awaiting_confirmation',
  'success',
  'failed',
  'cancelled',
  'needs_attention',
] as const;
export const TaskStatus = oneOf(TASK_STATUSES);
export type TaskStatus = Static<typeof TaskStatus>;

/** How tasks stand for the person. A task that failed only because steps were denied, expired or were blocked is told as such. */
export const TASK_ENDS = [...TASK_STATUSES, 'denied', 'expired', 'blocked'] as const;
export type TaskEnd = (typeof TASK_ENDS)[number];

/** The outcome of the earlier steps under which a step runs. */
export const RunIf = oneOf(['success', 'failure', 'always']);
export type RunIf = Static<typeof RunIf>;

export const OnFailure = oneOf(['stop', 'continue']);
export type OnFailure = Static<typeof OnFailure>;

export const Retry = Type.Object(
  {
    maxAttempts: Type.Integer({ minimum: 1, maximum: 5 }),
    backoffMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60_000, description: 'before the second attempt, doubled after each; 1 s' }),
    ),
  },
  closed,
);
export type Retry = Static<typeof Retry>;

export const STEP_ID = '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$';

export const StepSubmission = Type.Object(
  {
    id: Type.String({ pattern: STEP_ID }),
    actionType: Type.String({ minLength: 1, maxLength: 64 }),
    targetDeviceId: Type.String({ maxLength: 64 }),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'a value may be `{ "$from": "<step id>.<path>" }`, such as `look.data.windows.0.id`: a part of the result of an earlier step',
    }),
    dependsOn: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 })),
    runIf: Type.Optional(RunIf),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000, description: TIMEOUT })),
    retry: Type.Optional(Retry),
  },
  closed,
);
export type StepSubmission = Static<typeof StepSubmission>;

export const TaskSubmission = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    // Too many steps are a fault of the graph, which has an answer of its own.
    steps: Type.Array(StepSubmission, { minItems: 1, description: `at most ${MAX_STEPS}` }),
    onFailure: Type.Optional(OnFailure),
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: "the caller's own words, shown to the person as a claim" }),
    ),
    profile: Type.Optional(
      Type.String({ pattern: PROFILE_NAME, description: 'a narrower profile for this task; it never allows more' }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'explain what would happen, and do nothing' })),
  },
  {
    ...closed,
    examples: TASK_EXAMPLES,
  },
);
export type TaskSubmission = Static<typeof TaskSubmission>;

export const TaskStep = Type.Object(
  {
    id: Type.String(),
    actionType: Type.String(),
    targetDeviceId: DeviceId,
    dependsOn: Type.Array(Type.String()),
    status: StepStatus,
    actionId: Type.Optional(ActionId),
    attempts: Type.Integer({ description: 'actions begun for it, the running one included' }),
    risk: Risk,
    confirmation: Type.Optional(
      Type.Object(awaitedPrompt, {
        ...closed,
        description: 'the prompt that must be approved; steps of one plan share one',
      }),
    ),
    sentence: Type.Optional(
      Type.String({
        description: 'the step in words, for a person to judge a step that is `unknown`',
      }),
    ),
    details: Type.Optional(
      Type.String({
        description: 'why the step ended as it did, as a sentence for a person, where no result or error says it',
      }),
    ),
    error: Type.Optional(ActionError),
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
  },
  closed,
);
export type TaskStep = Static<typeof TaskStep>;

export const Task = Type.Object(
  {
    taskId: TaskId,
    name: Type.String(),
    procedure: Type.Optional(Type.String({ description: 'the procedure that it runs' })),
    userId: UserId,
    status: TaskStatus,
    steps: Type.Array(TaskStep),
    progress: Type.Object(
      {
        done: Type.Integer({ description: 'steps that have ended, in any status' }),
        total: Type.Integer(),
        byStatus: Type.Record(Type.String(), Type.Integer(), {
          description: 'the number of steps in each status; a status that no step has is left out',
        }),
      },
      closed,
    ),
    createdAt: Timestamp,
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
    durationMs: Type.Optional(Type.Number({ description: 'from the first start to the end, waiting included' })),
  },
  closed,
);
export type Task = Static<typeof Task>;

/** The person's decision on a step that was sent and whose end was lost; `again` begins a new attempt. */
export const UnknownResolution = oneOf(['happened', 'did_not_happen', 'again']);
export type UnknownResolution = Static<typeof UnknownResolution>;

export const TaskDryRun = Type.Object(
  {
    dryRun: Type.Literal(true),
    steps: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          actionType: Type.String(),
          verdict: Verdict,
          rule: Type.String({ description: 'the rule that decided, as a sentence' }),
          risk: Risk,
          target: Type.Union([Type.String(), Type.Null()], {
            description: 'the app or window that the step is about, as the agent finds it now',
          }),
          missing: Type.Optional(Type.String({ description: 'why the agent does not find its control or app now' })),
          details: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type TaskDryRun = Static<typeof TaskDryRun>;
