import type { UnderWay } from '../../contract/console-status.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import { timestamp } from '../timestamps.ts';

/** A status is read after every event, so it names the latest only. */
const MOST = 20;

/**
 * The latest actions and tasks that run or wait for their turn, newest first. An action of a task is part of its task, and an
 * action that waits for the person is a prompt. Tasks that need the person's answer come before newer ones where not all fit.
 */
export function underWay(of: {
  actions: readonly ActionRow[];
  tasks: readonly TaskRow[];
  /** The sentence of an action that has not ended. */
  sentenceOf(row: ActionRow): string;
}): UnderWay[] {
  const ofAction = (row: ActionRow) => viewOfAction(row, of.sentenceOf(row));
  const actions = of.actions.filter(
    ({ taskId, status }) => taskId === undefined && (status === 'queued' || status === 'running'),
  );
  const stuck = of.tasks.filter(needsAnswer);
  const others = of.tasks.filter((task) => !needsAnswer(task));
  const latest = [...actions.slice(-MOST).map(ofAction), ...others.slice(-MOST).map(ofTask)].toSorted(newestFirst);
  return [...stuck.slice(-MOST).map(ofTask), ...latest].slice(0, MOST).toSorted(newestFirst);
}

function needsAnswer({ status }: TaskRow): boolean {
  return status === 'needs_attention';
}

function newestFirst(one: UnderWay, other: UnderWay): number {
  return one.createdAt < other.createdAt ? 1 : -1;
}

function viewOfAction({ id, userId, status, createdAtMs }: ActionRow, title: string): UnderWay {
  return { kind: 'action', id, userId, title, status, createdAt: timestamp(createdAtMs) };
}

function ofTask({ id, userId, name, status, createdAtMs }: TaskRow): UnderWay {
  return { kind: 'task', id, userId, title: name, status, createdAt: timestamp(createdAtMs) };
}
