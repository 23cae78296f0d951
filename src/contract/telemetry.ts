import { type Static, Type } from 'typebox';
import { ActionStatus, Effect, RiskLevel } from './action.ts';
import { Counts, Coverage, notices, OrNull, Window } from './guardian.ts';
import { ActionId, DeviceId, TaskId, Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';

const Quantiles = Type.Object(
  { p50: OrNull(Type.Number()), p95: OrNull(Type.Number()), p99: OrNull(Type.Number()) },
  {
    ...closed,
    description:
      'milliseconds that 50, 95 and 99 of 100 took at most, within 2 %, waiting for a person left out; null where none ended',
  },
);

export const GROUPINGS = ['hour', 'user', 'type', 'device', 'risk', 'status'] as const;
const Grouping = oneOf(GROUPINGS);
export type Grouping = Static<typeof Grouping>;

/** The number of actions requested in a window, by group, largest first. */
const ActionGroups = Type.Object(
  {
    by: Type.Array(Grouping, { description: 'the properties that the actions of a group share' }),
    window: Window,
    items: Type.Array(
      Type.Object(
        {
          hour: Type.Optional(described(Timestamp, 'its start; UTC')),
          user: Type.Optional(
            Type.String({ description: 'the user id for the person and the user, else a pseudonym' }),
          ),
          type: Type.Optional(Type.String()),
          device: Type.Optional(Type.String({ description: 'its id' })),
          risk: Type.Optional(RiskLevel),
          status: Type.Optional(ActionStatus),
          count: Type.Integer({ description: 'actions that were asked for' }),
        },
        closed,
      ),
    ),
  },
  {
    ...closed,
    description:
      'if `by` is set; at most 5,000 groups. Its window is widened to full hours; grouped by hour it is at most a week',
  },
);
export type ActionGroups = Static<typeof ActionGroups>;

const BY_STATUS = 'ended in the window, or unfinished now';

/** Requests count when they were made, ends when they came; unfinished records count as of now. */
export const TelemetryMetrics = Type.Object(
  {
    window: Window,
    coverage: Coverage,
    actions: Type.Object(
      {
        total: Type.Integer({ description: 'asked for in the window' }),
        byStatus: described(
          Counts,
          `${BY_STATUS}; \`refused\`: requests for a capability that the device lacks, which became no action`,
        ),
        byType: described(Counts, 'actions requested in the window'),
        byRisk: described(Counts, 'actions requested in the window'),
        durationMs: Quantiles,
      },
      closed,
    ),
    tasks: Type.Object(
      {
        total: Type.Integer({ description: 'all of `byStatus`' }),
        byStatus: described(Counts, BY_STATUS),
        durationMs: Quantiles,
      },
      closed,
    ),
    confirmations: Type.Object(
      {
        total: Type.Integer({ description: 'prompts that came in the window, for an action or a plan' }),
        byOutcome: described(Counts, 'prompts that were answered or expired in the window'),
      },
      closed,
    ),
    groups: Type.Optional(ActionGroups),
    notices,
  },
  closed,
);
export type TelemetryMetrics = Static<typeof TelemetryMetrics>;

const RequesterName = Type.String({
  description: 'the user id for the person and the user themselves, else a pseudonym',
});

const StepName = Type.String({ description: 'a pseudonym where `userId` is one' });

/** The type, times and outcome of an action; never its parameters, target or result. */
export const ActionLogEntry = Type.Object(
  {
    actionId: ActionId,
    taskId: Type.Optional(described(TaskId, 'the task it is part of')),
    stepId: Type.Optional(described(StepName, 'the step of that task; a pseudonym where `userId` is one')),
    userId: RequesterName,
    deviceId: DeviceId,
    actionType: Type.String(),
    risk: RiskLevel,
    status: ActionStatus,
    effect: described(
      Effect,
      '`none`: nothing was changed; `confirmed`: evidence was seen; `unverified`: done, but nothing proves it',
    ),
    errorCode: Type.Optional(Type.String({ description: 'why it failed' })),
    createdAt: Timestamp,
    startedAt: Type.Optional(described(Timestamp, 'when it was sent to the device; UTC')),
    finishedAt: Type.Optional(Timestamp),
    durationMs: Type.Optional(Type.Number({ description: 'milliseconds from start to end on the device' })),
  },
  closed,
);
export type ActionLogEntry = Static<typeof ActionLogEntry>;

export const TaskLogEntry = Type.Object(
  {
    taskId: TaskId,
    userId: RequesterName,
    status: Type.String(),
    steps: Type.Array(
      Type.Object(
        {
          stepId: StepName,
          actionType: Type.String(),
          dependsOn: Type.Array(Type.String(), { description: 'steps that come before it' }),
          status: Type.String(),
          startedAt: Type.Optional(Timestamp),
          finishedAt: Type.Optional(Timestamp),
        },
        closed,
      ),
    ),
    createdAt: Timestamp,
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
    durationMs: Type.Optional(
      Type.Number({ description: 'milliseconds from the first start to the end, waiting included' }),
    ),
  },
  closed,
);
export type TaskLogEntry = Static<typeof TaskLogEntry>;

/** The day so far of one requester, beside its days before. */
export const RequesterToday = Type.Object(
  {
    requester: Type.String({ description: 'the user id for the person, else a pseudonym' }),
    words: Type.String({ description: 'what it did today, for a person' }),
    did: Type.String({ description: 'the same without its name' }),
    hours: Type.Array(Type.Integer(), {
      description: 'its requests in each hour of the day so far, in local time',
    }),
    before: Type.String({ description: 'how much it did at most on its days before, for a person' }),
    isUnusual: Type.Boolean({ description: 'it is far beyond what is usual for it' }),
  },
  closed,
);
export type RequesterToday = Static<typeof RequesterToday>;

export const RequesterTodayList = Type.Object(
  { items: Type.Array(RequesterToday, { description: 'unusual ones first, at most 50' }) },
  closed,
);
export type RequesterTodayList = Static<typeof RequesterTodayList>;
