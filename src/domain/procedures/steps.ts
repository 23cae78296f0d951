import { idByName, nameInId } from '../../contract/control-name.ts';
import type { Expectation, ProcedureStep, ProcedureSubmission } from '../../contract/procedure.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import type { StepSubmission } from '../../contract/task.ts';
import { listFiles } from '../catalogue/file-actions.ts';
import { pathFault } from '../catalogue/file-target.ts';
import { waitFor } from '../catalogue/hands/desktop.ts';
import { runScript } from '../catalogue/run-script.ts';
import { CATALOGUE } from '../catalogue.ts';
import { referencesIn } from '../task-graph.ts';
import { type Arguments, boundFault, TOO_LARGE } from './bounds.ts';

/** An expectation has so long to come true. */
const EXPECT_WITHIN_MS = 5_000;
/** An expectation becomes a step of the task, with this id. */
export const expectationId = (stepId: string): string => `${stepId}:expect`;
/** The longest id of a step, so that one more can be made of it. */
const LONGEST_ID = 50;
/** Parameters that mean something else tomorrow. */
const FLEETING: ReadonlySet<string> = new Set(['elementId', 'frameId', 'windowId', 'x', 'y', 'since', 'region']);

/** The steps of a run as the steps of a task: one after the other, each with its expectation. */
export function stepsOfRun(
  { steps }: Pick<ProcedureSubmission, 'steps'>,
  values: Arguments,
  targetDeviceId: string,
): StepSubmission[] {
  const run: StepSubmission[] = [];
  for (const { id, actionType, target, parameters, expect } of steps) {
    const before = run.at(-1)?.id;
    const order = before === undefined ? {} : { dependsOn: [before] };
    const filled = filledIn(parameters, values) as Record<string, unknown>;
    const named = {
      ...filled,
      ...(target !== undefined && { elementId: idByName(target) }),
      ...(expect?.exitCode !== undefined && { okExitCodes: [expect.exitCode] }),
    };
    run.push({ id, actionType, targetDeviceId, parameters: named, ...order });
    if (hasOwnStep(expect)) {
      const check = expect.file === undefined ? wait(expect) : look(filledIn(expect.file, values), expect);
      run.push({ id: expectationId(id), targetDeviceId, dependsOn: [id], ...check });
    }
  }
  return run;
}

/** The code of a script is in its own result; anything else takes a look of its own. */
function hasOwnStep(expect: Expectation | undefined): expect is Expectation {
  return expect !== undefined && expect.exitCode === undefined;
}

type Check = Pick<StepSubmission, 'actionType' | 'parameters' | 'timeoutMs' | 'retry'>;

function wait({ window, element, text, withinMs = EXPECT_WITHIN_MS }: Expectation): Check {
  const parameters = {
    ...(window !== undefined && { windowTitle: window }),
    ...(element !== undefined && { element }),
    ...(text !== undefined && { text }),
  };
  return { actionType: waitFor.name, parameters, timeoutMs: withinMs };
}

/** The pauses between five looks, each twice the one before, add up to the time. */
function look(path: unknown, { withinMs = EXPECT_WITHIN_MS }: Expectation): Check {
  const retry = { maxAttempts: 5, backoffMs: Math.round(withinMs / 15) };
  return { actionType: listFiles.name, parameters: { path, limit: 1 }, retry };
}

/** The steps that the procedure names, each with its look at a file: that lies where the step put it. */
export function namedSteps({ steps, may }: Pick<ProcedureSubmission, 'steps' | 'may'>): string[] {
  const looks = steps.filter(({ id, expect }) => may.critical.includes(id) && expect?.file !== undefined);
  return [...may.critical, ...looks.map(({ id }) => expectationId(id))];
}

/** The parameters with each `{ "$parameter": name }` replaced by its value. */
function filledIn(value: unknown, values: Arguments): unknown {
  if (Array.isArray(value)) return value.map((each) => filledIn(each, values));
  if (typeof value !== 'object' || value === null) return value;
  const name = parameterIn(value);
  if (name !== undefined) return values[name];
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, values)]));
}

function parameterIn(value: object): string | undefined {
  const members = Object.entries(value);
  const [[key, name] = []] = members;
  return members.length === 1 && key === '$parameter' && typeof name === 'string' ? name : undefined;
}

/** The names of parameters that a part of a procedure uses as whole values, and where. */
export function parametersIn(value: unknown, pointer = ''): { name: string; pointer: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const name = Array.isArray(value) ? undefined : parameterIn(value);
  if (name !== undefined) return [{ name, pointer }];
  return Object.entries(value).flatMap(([key, each]) => parametersIn(each, `${pointer}/${key}`));
}

/** The faults of a procedure that its schema does not find. */
export function procedureFaults(procedure: ProcedureSubmission, home: string): SchemaFault[] {
  const { parameters, steps, may } = procedure;
  const ids = steps.map(({ id }) => id);
  const looks = new Set(steps.filter(({ expect }) => hasOwnStep(expect)).map(({ id }) => expectationId(id)));
  const used = new Set(parametersIn(steps).map(({ name }) => name));
  const bounds: SchemaFault[] = [];
  for (const [name, bound] of Object.entries(parameters)) {
    const message = boundFault(bound, home) ?? (used.has(name) ? undefined : 'no step uses it');
    if (message !== undefined) bounds.push({ pointer: `/parameters/${name}`, message });
    if (message?.startsWith(TOO_LARGE) === true) break;
  }
  const unknown = may.critical.filter((id) => !ids.includes(id));
  return [
    ...bounds,
    ...steps.flatMap((step, index) =>
      stepFaults(step, { isSecond: looks.has(step.id) || ids.indexOf(step.id) < index, parameters }).map(
        ({ pointer, message }) => ({
          pointer: `/steps/${index}${pointer}`,
          message,
        }),
      ),
    ),
    ...unknown.map((id) => ({ pointer: '/may/critical', message: `there is no step ${JSON.stringify(id)}` })),
  ];
}

function stepFaults(
  step: ProcedureStep,
  { isSecond, parameters }: { isSecond: boolean; parameters: ProcedureSubmission['parameters'] },
): SchemaFault[] {
  const { id, actionType, target, expect } = step;
  const unknown = parametersIn({ parameters: step.parameters, expect }).filter(
    ({ name }) => !Object.hasOwn(parameters, name),
  );
  const { withinMs: _withinMs, ...wanted } = expect ?? {};
  return [
    ...(isSecond || id.length > LONGEST_ID ? [{ pointer: '/id', message: NO_ID }] : []),
    ...(CATALOGUE.has(actionType) ? [] : [{ pointer: '/actionType', message: 'is no action type' }]),
    ...fleetingIn(step.parameters).map((pointer) => ({ pointer: `/parameters${pointer}`, message: NO_REFERENCE })),
    ...(referencesIn(step.parameters).length > 0 ? [{ pointer: '/parameters', message: NO_RESULT }] : []),
    ...unknown.map(({ name, pointer }) => ({
      pointer,
      message: `there is no parameter ${JSON.stringify(name.slice(0, 100))}`,
    })),
    ...(expect !== undefined && Object.keys(wanted).length !== 1
      ? [{ pointer: '/expect', message: NO_EXPECTATION }]
      : []),
    ...(typeof expect?.file === 'string' ? pathFault('/expect/file', expect.file) : []),
    ...(expect?.exitCode !== undefined && actionType !== runScript.name
      ? [{ pointer: '/expect/exitCode', message: NO_SCRIPT }]
      : []),
    ...(target !== undefined && nameInId(idByName(target)) === undefined
      ? [{ pointer: '/target', message: NO_NAME }]
      : []),
  ];
}

/** Where such parameters stand: at the top, and in the two places of a drag. */
function fleetingIn(parameters: Record<string, unknown>): string[] {
  const { from, to } = parameters;
  return Object.entries({ '': parameters, '/from': from, '/to': to }).flatMap(([pointer, value]) =>
    typeof value === 'object' && value !== null
      ? Object.keys(value).flatMap((name) => (FLEETING.has(name) ? [`${pointer}/${name}`] : []))
      : [],
  );
}

const NO_ID = `must differ from the other ids and have at most ${LONGEST_ID} characters`;
const NO_REFERENCE = 'means something else tomorrow; name the control as target instead';
const NO_NAME = 'must have a short name, and a host alone as site';
const NO_RESULT = 'a procedure takes no values from results of its steps';
const NO_EXPECTATION = 'give one of window, element, text, file and exitCode';
const NO_SCRIPT = 'only a script ends with a code';
