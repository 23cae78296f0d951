import type { ProcedureDraft, ProcedureHint, ProcedureSource } from '../../contract/procedure.ts';
import type { Run } from '../../contract/run.ts';
import { type DoneAction, draftOf, shapeOf } from '../../domain/procedures/make.ts';
import { procedureFaults } from '../../domain/procedures/steps.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { FoundRun, Runs } from '../console/runs.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

const MOST_ACTIONS = 200;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Runs of a week that are compared with one. */
const MOST_RUNS = 50;

type Parts = { runs: Pick<Runs, 'find' | 'list'>; home: string | undefined };

/** Makes procedures of what a requester did, or of what anybody did where `userId` is null: for the person. Nothing is kept. */
export function createDrafts({ store, clock }: Context, { runs, home = '/' }: Parts) {
  const own = (userId: string | null, id: string): ActionRow | undefined => {
    const row = store.actions.findById(id);
    return row !== undefined && (userId === null || row.userId === userId) ? row : undefined;
  };

  async function idsOf(
    userId: string | null,
    { actionIds, taskId, runOf }: ProcedureSource,
  ): Promise<readonly string[] | Refusal> {
    if (actionIds !== undefined) return actionIds;
    if (taskId !== undefined) {
      const task = userId === null ? store.tasks.findById(taskId) : store.tasks.find(userId, taskId);
      return task?.steps.flatMap(({ actionId }) => actionId ?? []) ?? [];
    }
    return runOf === undefined ? [] : idsOfRun(userId, runOf);
  }

  async function idsOfRun(userId: string | null, actionId: string): Promise<readonly string[] | Refusal> {
    if (own(userId, actionId) === undefined) return noSuchAction(actionId);
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
    if (missing !== undefined) return noSuchAction(missing);
    const done = rows.filter((row) => row?.status === 'success').flatMap((row) => row ?? []);
    const forgotten = done.find(({ parameters }) => parameters === undefined);
    if (forgotten !== undefined)
      return {
        refused: 'validation_failed',
        detail: `The parameters of ${forgotten.id} are kept no longer, so no procedure can be made of it.`,
      };
    return done.map(({ actionType, parameters = {}, targets = [] }) => ({ actionType, parameters, targets }));
  }

  async function draft(userId: string | null, source: ProcedureSource): Promise<ProcedureDraft | Refusal> {
    const ids = await idsOf(userId, source);
    if (isRefusal(ids)) return ids;
    const done = doneOf(userId, ids);
    if (isRefusal(done)) return done;
    const { comparedWith, comparedWithIds } = source;
    const otherIds = comparedWith === undefined ? comparedWithIds : await idsOfRun(userId, comparedWith);
    const other = otherIds === undefined || isRefusal(otherIds) ? otherIds : doneOf(userId, otherIds);
    if (isRefusal(other)) return other;
    const { draft: made, faults } = draftOf(source.name, done, other);
    if (made.steps.length === 0)
      return {
        refused: 'validation_failed',
        detail: 'Nothing was done there that a procedure could do again. Name a run, a task or actions that succeeded.',
      };
    return { draft: made, faults: [...faults, ...procedureFaults(made, home)].slice(0, 50) };
  }

  /** What a run did, where it is short enough for a procedure and the person allowed a part of it. */
  function allowedShape({ members }: FoundRun): { shape: string; steps: number } | undefined {
    if (
      members.length > MOST_ACTIONS ||
      !members.some(({ isAllowed, isOfAllowedPlan }) => isAllowed || isOfAllowedPlan)
    )
      return undefined;
    const done = doneOf(null, members.map(({ id }) => id).toReversed());
    if (isRefusal(done)) return undefined;
    const { steps } = draftOf('', done).draft;
    return { shape: shapeOf(steps), steps: steps.length };
  }

  /** How often the person allowed the steps of a run within a week. Steps that a procedure does already count as none. */
  async function hint(actionId: string): Promise<ProcedureHint | Refusal> {
    const found = await runs.find(actionId);
    if (isRefusal(found)) return found;
    const wanted = allowedShape(found);
    const { userId } = found.run;
    const isKept = store.procedures.of(userId).some(({ procedure }) => shapeOf(procedure.steps) === wanted?.shape);
    if (wanted === undefined || isKept) return { steps: 0, times: 0 };
    return { steps: wanted.steps, times: await timesAllowed(userId, wanted.shape) };
  }

  /** In the runs of the last week, the newest of them. */
  async function timesAllowed(userId: string, shape: string): Promise<number> {
    const page = await runs.list({ userId, sinceMs: clock.nowMs() - WEEK_MS }, { limit: MOST_RUNS });
    let times = 0;
    for (const item of isRefusal(page) ? [] : page.items) {
      const run: Run = JSON.parse(item);
      const found = await runs.find(run.id);
      if (!isRefusal(found) && allowedShape(found)?.shape === shape) times += 1;
    }
    return times;
  }

  return { draft, hint };
}

function noSuchAction(id: string): Refusal {
  return { refused: 'action_not_found', detail: `There is no action ${id}.` };
}
