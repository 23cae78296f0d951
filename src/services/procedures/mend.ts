import { type ControlName, wordsOfName } from '../../contract/control-name.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import type { Expectation, ProcedureMend, ProcedureStep } from '../../contract/procedure.ts';
import { ScreenDescription } from '../../contract/screen.ts';
import { describeScreen } from '../../domain/catalogue/describe-screen.ts';
import { expectationId } from '../../domain/procedures/steps.ts';
import type { Context } from '../context.ts';
import type { MachineAgents } from '../machines/agents.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { type Procedures, viewProcedure } from './procedures.ts';

/** No control answers to the name, or several do. */
const MISSES: ReadonlySet<string> = new Set(['target_gone', 'invalid_target']);
const MOST_CONTROLS = 100;
const PATIENCE_MS = 10_000;

type Parts = { procedures: Pick<Procedures, 'find'>; agents: Pick<MachineAgents, 'of'> };

/** Where a run of a procedure stopped, and the controls on the screen now. The look is the person's: no requester gets it. */
export async function mendOf(
  { store }: Context,
  { procedures, agents }: Parts,
  taskId: string,
): Promise<ProcedureMend | Refusal> {
  const task = store.tasks.findById(taskId);
  if (task === undefined) return { refused: 'task_not_found', detail: `There is no task ${taskId}.` };
  const missed = task.steps.find(({ status }) => status === 'failed');
  if (task.procedure === undefined || missed === undefined) return NOTHING_MISSED;
  const row = procedures.find(task.userId, task.procedure.name);
  if (isRefusal(row)) return row;
  if (row.digest !== task.procedure.digest) return CHANGED;
  const step = row.procedure.steps.find(({ id }) => id === missed.id || expectationId(id) === missed.id);
  if (step === undefined) return NOTHING_MISSED;
  const isExpectation = step.id !== missed.id;
  if (!isExpectation && !MISSES.has(missed.error?.code ?? '')) return NOTHING_MISSED;
  const look = await agents
    .of(missed.deviceId)
    .ask({ type: describeScreen.name, parameters: {}, patienceMs: PATIENCE_MS });
  if (look?.ok !== true || !isDescription(look.data)) return NOT_SEEN;
  return {
    procedure: viewProcedure(row),
    stepId: step.id,
    isExpectation,
    wanted: visible(wantedBy(step, isExpectation)),
    problem: visible(missed.error?.message ?? missed.details ?? ''),
    controls: controlsIn(look.data, step.target).map((target) => ({ target, words: visible(wordsOfName(target)) })),
  };
}

const isDescription = lazyCheck(ScreenDescription);

function wantedBy({ target, expect }: ProcedureStep, isExpectation: boolean): string {
  if (isExpectation) return expectedWords(expect ?? {});
  return target === undefined ? '' : wordsOfName(target);
}

function expectedWords({ window, element, text, file }: Expectation): string {
  if (file !== undefined) return typeof file === 'string' ? file : `the file of “${file.$parameter}”`;
  if (window !== undefined) return `a window titled “${window}”`;
  return element === undefined ? `the text “${text}”` : `${element.role ?? 'control'} “${element.name}”`;
}

/** The controls by their names, those of the wanted app first, equal ones by their number. Those on pages keep the site that was named. */
function controlsIn({ windows, elements }: ScreenDescription, wanted: ControlName | undefined): ControlName[] {
  const apps = new Map(windows.map(({ id, app }) => [id, app]));
  const named = elements.flatMap(({ role, name, windowId, bounds }): ControlName[] => {
    const app = windowId === null ? undefined : apps.get(windowId);
    if (app === undefined || bounds === null || role === 'window' || name.trim() === '' || name.length > 200) return [];
    const isThere = wanted?.app === app;
    return [{ app, ...(isThere && wanted.site !== undefined && { site: wanted.site }), role, name }];
  });
  const groups = [...Map.groupBy(named, (control) => JSON.stringify(control)).values()];
  const numbered = groups.flatMap((equal) =>
    equal.length === 1 ? equal : equal.map((control, index) => ({ ...control, nth: index + 1 })),
  );
  const rank = ({ app, role }: ControlName) => (app === wanted?.app ? 0 : 2) + (role === wanted?.role ? 0 : 1);
  return numbered.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_CONTROLS);
}

const NOTHING_MISSED: Refusal = {
  refused: 'not_found',
  detail: 'No step of a procedure missed its control or its expectation there.',
};
const CHANGED: Refusal = {
  refused: 'confirmation_stale',
  detail: 'The procedure was changed since this run. Run it again, and mend what stops then.',
};
const NOT_SEEN: Refusal = {
  refused: 'device_offline',
  detail: 'The screen could not be looked at. Try again once the agent answers.',
};
