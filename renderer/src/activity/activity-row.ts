import type { Action } from '../../../src/contract/action.ts';

/** The members that a row of the list shows. The rest of an action is loaded when it is opened, so that 100,000 rows fit into memory. */
export type ActivityRow = Pick<
  Action,
  'actionId' | 'actionType' | 'userId' | 'status' | 'details' | 'createdAt' | 'durationMs' | 'taskId'
> & { level: Action['risk']['level'] };

export function toRow(action: Action): ActivityRow {
  const { actionId, actionType, userId, status, details, createdAt, durationMs, taskId, risk } = action;
  return {
    actionId,
    actionType,
    userId,
    status,
    details,
    createdAt,
    level: risk.level,
    ...(durationMs !== undefined && { durationMs }),
    ...(taskId !== undefined && { taskId }),
  };
}
