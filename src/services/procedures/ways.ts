import type { ProcedureSource } from '../../contract/procedure.ts';
import { RUN_BREAK_MS } from '../../contract/run.ts';
import { type DoneAction, isSameWork } from '../../domain/procedures/make.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Runs } from '../console/runs.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

export const MOST_ACTIONS = 200;

const isTask = (id: string) => id.startsWith('tsk_');

/** A way of doing some work, and another one of the same work, if there is one to be compared with. */
type Pair = { first: DoneAction[]; second?: DoneAction[] | undefined };

/** Finds what a requester did, or what anybody did where `userId` is null. */
export function createWays({ store }: Pick<Context, 'store'>, runs: Pick<Runs, 'find'>) {
  const own = (userId: string | null, id: string): ActionRow | undefined => {
    const row = store.actions.findById(id);
    return row !== undefined && (userId === null || row.userId === userId) ? row : undefined;
  };

  /** The actions of one way of doing, the oldest first. */
  async function idsOf(
    userId: string | null,
    {
      ids,
      taskId,
      runOf,
    }: { ids?: readonly string[] | undefined; taskId?: string | undefined; runOf?: string | undefined },
  ): Promise<readonly string[] | Refusal> {
    if (ids !== undefined) return ids;
    if (taskId !== undefined) {
      const task = userId === null ? store.tasks.findById(taskId) : store.tasks.find(userId, taskId);
      const detail = `There is no task ${taskId}${ofWhom(userId)}.`;
      return task?.steps.flatMap(({ actionId }) => actionId ?? []) ?? { refused: 'validation_failed', detail };
    }
    return runOf === undefined ? [] : idsOfRun(userId, runOf);
  }

  async function idsOfRun(userId: string | null, actionId: string): Promise<readonly string[] | Refusal> {
    if (own(userId, actionId) === undefined) return noSuchAction(userId, actionId);
    const run = await runs.find(actionId);
    return isRefusal(run) ? run : run.members.map(({ id }) => id).toReversed();
  }

  /** The actions that succeeded, the oldest first. */
  function doneOf(userId: string | null, ids: readonly string[]): DoneAction[] | Refusal {
    if (ids.length > MOST_ACTIONS)
      return {
        refused: 'validation_failed',
        detail: `A procedure is made of at most ${MOST_ACTIONS} actions; these are ${ids.length}.`,
      };
    const rows = ids.map((id) => own(userId, id));
    const missing = ids[rows.indexOf(undefined)];
    if (missing !== undefined) return noSuchAction(userId, missing);
    const done = rows.filter((row) => row?.status === 'success').flatMap((row) => row ?? []);
    const forgotten = done.find(({ parameters }) => parameters === undefined);
    if (forgotten !== undefined)
      return {
        refused: 'validation_failed',
        detail: `The parameters of ${forgotten.id} are kept no longer, so no procedure can be made of it.`,
      };
    return done.map(({ actionType, parameters = {}, targets = [] }) => ({ actionType, parameters, targets }));
  }

  function pairOf(userId: string | null, ids: readonly string[], otherIds?: readonly string[]): Pair | Refusal {
    const first = doneOf(userId, ids);
    const second = otherIds && doneOf(userId, otherIds);
    if (isRefusal(first)) return first;
    return isRefusal(second) ? second : { first, second };
  }

  /** The two ways of doing in one run, of which each id is the last action, or else the first. */
  function partsOf(userId: string | null, ids: readonly string[], marks: readonly [string, string]): Pair | Refusal {
    if (marks.some((id) => !ids.includes(id))) return SAME_TASK;
    const [one = 0, other = 0] = marks.map((id) => ids.indexOf(id)).toSorted((a, b) => a - b);
    const asLast = [ids.slice(0, one + 1), ids.slice(one + 1, other + 1)] as const;
    const asFirst = [ids.slice(one, other), ids.slice(other)] as const;
    for (const [first, second] of [asLast, asFirst]) {
      const pair = pairOf(userId, first, second);
      if (isRefusal(pair) || isSameWork(pair.first, pair.second ?? [])) return pair;
    }
    return ONE_RUN;
  }

  /** The same work done again, if the source names it. */
  function idsOfSecond(
    userId: string | null,
    { comparedWith, comparedWithIds }: ProcedureSource,
  ): Promise<readonly string[] | Refusal> | undefined {
    if (comparedWith === undefined)
      return comparedWithIds === undefined ? undefined : idsOf(userId, { ids: comparedWithIds });
    return idsOf(userId, isTask(comparedWith) ? { taskId: comparedWith } : { runOf: comparedWith });
  }

  /** What a procedure is to be made of. */
  async function waysOf(userId: string | null, source: ProcedureSource): Promise<Pair | Refusal> {
    const { actionIds, taskId, runOf = '', comparedWith } = source;
    const ids = await idsOf(userId, { ids: actionIds, taskId, runOf: source.runOf });
    if (isRefusal(ids)) return ids;
    const otherIds = await idsOfSecond(userId, source);
    if (isRefusal(otherIds)) return otherIds;
    if (comparedWith !== undefined && ids.length > 0 && otherIds?.[0] === ids[0])
      return partsOf(userId, ids, [runOf, comparedWith]);
    return pairOf(userId, ids, otherIds);
  }

  return { doneOf, waysOf };
}

const ONE_RUN: Refusal = {
  refused: 'validation_failed',
  detail: `The two actions are of one run, which only a break of ${RUN_BREAK_MS / 60_000} minutes ends, and the same was not done twice there up to each of them, nor from each of them on. Name the last action of each, and let both have the same steps on the same controls. Or do it once more after the break, and name an action of each run.`,
};
const SAME_TASK: Refusal = {
  refused: 'validation_failed',
  detail:
    'Both are of the same task. Name a second task, or an action of another run, that did the same with other values.',
};

const ofWhom = (userId: string | null) => (userId === null ? '' : ` among those of ${userId}`);

function noSuchAction(userId: string | null, id: string): Refusal {
  return { refused: 'action_not_found', detail: `There is no action ${id}${ofWhom(userId)}.` };
}
