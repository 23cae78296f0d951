import type { Action } from '../../../src/contract/action.ts';
import type { ListedAction } from '../../../src/contract/activity.ts';
import { statusOf } from './activity-words.ts';

/** The members that a row of the list shows. The rest of an action is loaded when it is opened, so that 100,000 rows fit into memory. */
export type ActivityRow = Pick<
  Action,
  'actionId' | 'actionType' | 'userId' | 'status' | 'createdAt' | 'durationMs' | 'taskId'
> & {
  /** The sentence that the person was shown; the details, once its contents are no longer kept. */
  words: string;
  level: Action['risk']['level'];
  /** How its file can be put back, while that is possible. */
  undo?: Action['undo'];
};

export function toRow(action: ListedAction): ActivityRow {
  const { actionId, actionType, userId, sentence, details, createdAt, durationMs, taskId, risk, undo } = action;
  return {
    actionId,
    actionType,
    userId,
    status: statusOf(action),
    words: sentence ?? details,
    createdAt,
    level: risk.level,
    ...(undo?.until !== undefined && { undo }),
    durationMs,
    taskId,
  };
}
