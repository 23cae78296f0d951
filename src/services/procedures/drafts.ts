import type { ProcedureDraft, ProcedureHint, ProcedureSource } from '../../contract/procedure.ts';
import type { Run } from '../../contract/run.ts';
import { draftOf, shapeOf } from '../../domain/procedures/make.ts';
import { procedureFaults } from '../../domain/procedures/steps.ts';
import type { FoundRun, Runs } from '../console/runs.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { createWays, MOST_ACTIONS } from './ways.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Runs of a week that are compared with one. */
const MOST_RUNS = 50;

type Parts = { runs: Pick<Runs, 'find' | 'list'>; home: string | undefined };

/** Makes procedures of what a requester did, or of what anybody did where `userId` is null: for the person. Nothing is kept. */
export function createDrafts(context: Context, { runs, home = '/' }: Parts) {
  const { store, clock } = context;
  const { doneOf, waysOf } = createWays(context, runs);

  async function draft(userId: string | null, source: ProcedureSource): Promise<ProcedureDraft | Refusal> {
    const ways = await waysOf(userId, source);
    if (isRefusal(ways)) return ways;
    const { draft: made, faults } = draftOf(source.name, ways.first, ways.second);
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
