import type { ActivityDetail, AnsweredPrompt } from '../../../src/contract/activity.ts';
import { isWithdrawn } from '../../../src/contract/withdrawn.ts';
import { ACTION_STATUS_WORDS } from './activity-words.ts';

/** One event in the life of an action. Without a time it has not happened, or its time is not kept. */
export type TimelineEvent = { name: string; at: string | undefined; words: string };

/** The life of an action in order: requested, shown, answered, sent to the agent, ended. Steps that it never took are left out. */
export function timelineOf({ action, prompt, grantId }: ActivityDetail): TimelineEvent[] {
  const { createdAt, startedAt, finishedAt, status } = action;
  const isOver = finishedAt !== undefined;
  return [
    { name: 'requested', at: createdAt, words: 'Requested' },
    ...(prompt === undefined ? [] : promptEvents(prompt, action)),
    ...(grantId === undefined ? [] : [{ name: 'granted', at: createdAt, words: 'Allowed by a grant' }]),
    ...(startedAt === undefined ? [] : [{ name: 'sent', at: startedAt, words: 'Sent to the agent' }]),
    ...(isOver
      ? [{ name: 'ended', at: finishedAt, words: `Ended: ${ACTION_STATUS_WORDS[status].toLowerCase()}` }]
      : []),
    ...(action.undo?.undoneAt === undefined
      ? []
      : [{ name: 'undone', at: action.undo.undoneAt, words: 'Put back by you' }]),
    ...(isOver ? [] : [{ name: 'open', at: undefined, words: ACTION_STATUS_WORDS[status] }]),
  ];
}

function promptEvents(
  prompt: AnsweredPrompt,
  { decidedAt, status: actionStatus }: ActivityDetail['action'],
): TimelineEvent[] {
  const { about, shownAt, status, presence } = prompt;
  const subject = about === 'plan' ? ' with the plan of its task' : '';
  const answeredAt = prompt.decidedAt ?? decidedAt;
  return [
    ...(shownAt === undefined ? [] : [{ name: 'shown', at: shownAt, words: `Shown to you${subject}` }]),
    ...(status === 'pending'
      ? []
      : [
          {
            name: 'answered',
            at: answeredAt,
            words: `${isWithdrawn(status, actionStatus) ? 'Withdrawn' : ANSWERS[status]}${subject}${presence === 'hold' ? ', by press and hold' : ''}`,
          },
        ]),
  ];
}

const ANSWERS: Record<Exclude<AnsweredPrompt['status'], 'pending'>, string> = {
  allowed: 'Allowed by you',
  denied: 'Denied by you',
  expired: 'Expired without an answer',
};
