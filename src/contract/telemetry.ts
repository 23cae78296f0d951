import { type Static, Type } from 'typebox';
import { ActionStatus, Effect, RiskLevel } from './action.ts';
import { Counts, notices, OrNull, Window } from './guardian.ts';
import { ActionId, DeviceId, TaskId, Timestamp } from './ids.ts';
import { closed, oneOf } from './literals.ts';

const Quantiles = Type.Object(
  { p50: OrNull(Type.Number()), p95: OrNull(Type.Number()), p99: OrNull(Type.Number()) },
  closed,
);

export const GROUPINGS = ['hour', 'user', 'type', 'risk', 'status'] as const;
const Grouping = oneOf(GROUPINGS);
export type Grouping = Static<typeof Grouping>;

/** How many actions were asked for in a window that have the same of what they are grouped by, the most first. */
const ActionGroups = Type.Object(
  {
    by: Type.Array(Grouping),
    window: Window,
    items: Type.Array(
      Type.Object(
        {
          hour: Type.Optional(Timestamp),
          user: Type.Optional(
            Type.String({ description: 'the user id for the person and the user, else a pseudonym' }),
          ),
          type: Type.Optional(Type.String()),
          risk: Type.Optional(RiskLevel),
          status: Type.Optional(ActionStatus),
          count: Type.Integer(),
        },
        closed,
      ),
    ),
  },
  {
    ...closed,
    description:
      'where `by` asks for it, at most 5,000; its window may begin and end with an hour, and by hour is a week at most',
  },
);
export type ActionGroups = Static<typeof ActionGroups>;

/** Requests by when they were made, ends by when they came; what has not ended is as of now. */
export const TelemetryMetrics = Type.Object(
  {
    window: Window,
    actions: Type.Object(
      { total: Type.Integer(), byStatus: Counts, byType: Counts, byRisk: Counts, durationMs: Quantiles },
      closed,
    ),
    tasks: Type.Object({ total: Type.Integer(), byStatus: Counts, durationMs: Quantiles }, closed),
    confirmations: Type.Object({ total: Type.Integer(), byOutcome: Counts }, closed),
    groups: Type.Optional(ActionGroups),
    notices,
  },
  closed,
);
export type TelemetryMetrics = Static<typeof TelemetryMetrics>;

const RequesterName = Type.String({
  description: 'the user id for the person and the user themselves, else a pseudonym',
});

/** What was done, when and how it ended; never with what, to what, or what came of it. */
export const ActionLogEntry = Type.Object(
  {
    actionId: ActionId,
    taskId: Type.Optional(TaskId),
    stepId: Type.Optional(Type.String()),
    userId: RequesterName,
    deviceId: DeviceId,
    actionType: Type.String(),
    risk: RiskLevel,
    status: ActionStatus,
    effect: Effect,
    errorCode: Type.Optional(Type.String()),
    createdAt: Timestamp,
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
    durationMs: Type.Optional(Type.Number()),
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
          stepId: Type.String(),
          actionType: Type.String(),
          dependsOn: Type.Array(Type.String()),
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
    durationMs: Type.Optional(Type.Number()),
  },
  closed,
);
export type TaskLogEntry = Static<typeof TaskLogEntry>;
