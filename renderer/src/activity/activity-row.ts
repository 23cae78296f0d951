import type { Action } from '../../../src/contract/action.ts';

/** The members that a row of the list shows. The rest of an action is loaded when it is opened, so that 100,000 rows fit into memory. */
export type ActivityRow = Pick<
  Action,
  'actionId' | 'actionType' | 'userId' | 'status' | 'details' | 'createdAt' | 'durationMs' | 'taskId'
> & {
  level: Action['risk']['level'];
  /** How its file can be put back, while that is possible. */
  undo?: Action['undo'];
};

export function toRow(action: Action): ActivityRow {
  const { actionId, actionType, userId, status, details, createdAt, durationMs, taskId, risk, undo } = action;
  return {
    actionId,
    actionType,
    userId,
    status,
    details,
    createdAt,
    level: risk.level,
    ...(undo?.until !== undefined && { undo }),
    ...(durationMs !== undefined && { durationMs }),
    ...(taskId !== undefined && { taskId }),
  };
}
