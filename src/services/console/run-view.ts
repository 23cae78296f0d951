import { RISK_LEVELS } from '../../contract/risk-level.ts';
import type { Run } from '../../contract/run.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { RunMember } from '../../store/records/runs.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import { timestamp } from '../timestamps.ts';
import { effectsOf } from './run-effects.ts';
import { MOST_MEMBERS } from './run-members.ts';

const MOST_TYPES = 4;

/** A run as the person sees it, from one of its actions and from all of them, newest first. */
export function viewRun({ store }: Context, row: ActionRow, members: readonly RunMember[]): Run {
  const first = members.at(-1);
  const task = row.taskId === undefined ? undefined : store.tasks.findById(row.taskId);
  const levels = new Set(members.map(({ risk }) => risk));
  const ends = members.map(({ finishedAtMs }) => finishedAtMs);
  const end = ends.some((each) => each === null) ? undefined : Math.max(...ends.map(Number));
  return {
    id: first?.id ?? row.id,
    userId: row.userId,
    ...(row.taskId !== undefined && { taskId: row.taskId }),
    ...(task !== undefined && { taskName: visible(task.name) }),
    startedAt: timestamp(first?.createdAtMs ?? row.createdAtMs),
    lastAt: timestamp(members[0]?.createdAtMs ?? row.createdAtMs),
    ...(end !== undefined && { endedAt: timestamp(end) }),
    actions: members.length,
    statuses: counted(members.map(({ status }) => status)).map(([status, count]) => ({ status, count })),
    types: counted(members.map(({ actionType }) => actionType))
      .slice(0, MOST_TYPES)
      .map(([actionType, count]) => ({ actionType, count })),
    effects: effectsOf(members.toReversed()),
    artifacts: members.reduce((sum, { artifactCount }) => sum + artifactCount, 0),
    risk: RISK_LEVELS.findLast((level) => levels.has(level)) ?? row.risk.level,
    isCut: members.length >= MOST_MEMBERS,
  };
}

/** The words with how often each is there, the most frequent first. */
function counted<Word extends string>(words: readonly Word[]): [Word, number][] {
  const counts = new Map<Word, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
