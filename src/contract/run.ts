import { type Static, Type } from 'typebox';
import { ActionStatus } from './action.ts';
import { ActionId, TaskId, Timestamp, UserId } from './ids.ts';
import { closed } from './literals.ts';
import { RiskLevel } from './risk-level.ts';

/** The break that ends a run: longer than a model thinks, and shorter than the pause between two jobs. */
export const RUN_BREAK_MS = 180_000;

/** The actions of one requester without a break of three minutes, or those of one task. */
export const Run = Type.Object(
  {
    id: ActionId,
    userId: UserId,
    taskId: Type.Optional(TaskId),
    taskName: Type.Optional(Type.String()),
    isPlanAllowed: Type.Optional(Type.Boolean({ description: 'the person allowed its actions as one plan' })),
    startedAt: Type.With(Timestamp, { description: 'when its task or first action was requested' }),
    lastAt: Type.With(Timestamp, { description: 'when its latest action was requested' }),
    endedAt: Type.Optional(Type.With(Timestamp, { description: 'absent while one of its actions has not ended' })),
    actions: Type.Integer(),
    statuses: Type.Array(Type.Object({ status: ActionStatus, count: Type.Integer() }, closed)),
    types: Type.Array(Type.Object({ actionType: Type.String(), count: Type.Integer() }, closed), {
      description: 'the most frequent first, at most four',
    }),
    effects: Type.Array(Type.Object({ place: Type.String(), did: Type.Array(Type.String()) }, closed), {
      description:
        'what its actions did, by app, site or folder, what the person allowed and what changes most first; while their contents are kept',
    }),
    artifacts: Type.Integer({ description: 'the pictures and outputs that its actions made' }),
    risk: Type.With(RiskLevel, { description: 'the highest of its actions' }),
    isCut: Type.Boolean({ description: 'it is longer than is counted as one; its older part is a run of its own' }),
  },
  closed,
);
export type Run = Static<typeof Run>;
