import type { ControlName } from '../../contract/control-name.ts';
import type { WaitForParameters } from '../../contract/hands.ts';
import type { Bound, Expectation, ProcedureStep, ProcedureSubmission } from '../../contract/procedure.ts';
import { folderOfPath, freeName } from '../../contract/procedure-values.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import type { Control } from '../../contract/screen.ts';
import { type Target, targetFor } from '../../contract/targets.ts';
import { siteOf } from '../../contract/web-address.ts';
import { moveFile, writeFile } from '../catalogue/file-actions.ts';
import { waitFor } from '../catalogue/hands/desktop.ts';
import { requestAccess } from '../catalogue/hands/request-access.ts';
import { runScript } from '../catalogue/run-script.ts';
import { CATALOGUE } from '../catalogue.ts';
import { secretInText } from '../secret-text.ts';
import { parametersIn } from './steps.ts';

/** An action that succeeded, as it is kept. */
export type DoneAction = {
  actionType: string;
  parameters: Readonly<Record<string, unknown>>;
  targets: readonly Target[];
};

export type Draft = { draft: ProcedureSubmission; faults: SchemaFault[] };

const USUAL_MINUTES = 5;
const LONGEST_TEXT = 200;

/**
 * Makes a procedure of what was done: each place becomes the name that its control had, and a wait becomes what must be true after the step
 * before it. `other`: the same work done again; what differs becomes a parameter. What has no name is a fault.
 */
export function draftOf(name: string, done: readonly DoneAction[], other?: readonly DoneAction[]): Draft {
  const made = stepsOf(done);
  const again = other === undefined ? undefined : stepsOf(other);
  if (again !== undefined && !isAlike(made, again))
    return {
      draft: procedureOf(name, made, {}),
      faults: [...faultsOf(made), { pointer: '/steps', message: NOT_ALIKE }],
    };
  const parameters: Record<string, Bound> = {};
  const steps = made.map(({ step, faults }, index) => {
    const second = again?.[index]?.step.parameters;
    const fixed = second === undefined ? step : { ...step, parameters: varied(step, second, parameters) };
    return { step: withEffect(fixed), faults };
  });
  return { draft: procedureOf(name, steps, parameters), faults: faultsOf(steps) };
}

/** Whether both did the same, and something that a procedure can do again. */
export function isSameWork(one: readonly DoneAction[], other: readonly DoneAction[]): boolean {
  const made = stepsOf(one);
  return made.length > 0 && isAlike(made, stepsOf(other));
}

const NOT_ALIKE = 'the two runs do not have the same steps on the same controls';

type Made = { step: ProcedureStep; faults: SchemaFault[] };

function procedureOf(name: string, made: readonly Made[], parameters: Record<string, Bound>): ProcedureSubmission {
  return { name, parameters, steps: made.map(({ step }) => step), may: { critical: [], minutes: USUAL_MINUTES } };
}

function faultsOf(made: readonly Made[]): SchemaFault[] {
  return made.flatMap(({ faults }, index) =>
    faults.map(({ pointer, message }) => ({ pointer: `/steps/${index}${pointer}`, message })),
  );
}

function stepsOf(done: readonly DoneAction[]): Made[] {
  const made: Made[] = [];
  for (const action of done) {
    const last = made.at(-1);
    const expect = expectationOf(action);
    if (expect !== undefined) {
      if (last !== undefined) last.step = { ...last.step, expect };
    } else if (CATALOGUE.get(action.actionType)?.effectClass !== 'pure' && action.actionType !== requestAccess.name)
      made.push(stepOf(action, `s${made.length + 1}`));
  }
  return made;
}

/** Where an agent waited for nothing after a step, what the step itself did is what must be true: a file is there, a script ended well. */
function withEffect(step: ProcedureStep): ProcedureStep {
  const expect = step.expect ?? effectOf(step);
  return expect === undefined ? step : { ...step, expect };
}

/** The parameter that says where a file is afterwards. */
const PLACE_OF_FILE: Readonly<Record<string, string>> = { [writeFile.name]: 'path', [moveFile.name]: 'to' };

function effectOf({ actionType, parameters }: ProcedureStep): Expectation | undefined {
  if (actionType === runScript.name && parameters.okExitCodes === undefined) return { exitCode: 0 };
  const place = PLACE_OF_FILE[actionType];
  const path = place === undefined ? undefined : parameters[place];
  if (typeof path === 'string') return { file: path };
  const [used] = parametersIn(path);
  return used === undefined ? undefined : { file: { $parameter: used.name } };
}

/** What an agent waited for is what must be true after the step before. */
function expectationOf({ actionType, parameters }: DoneAction): Expectation | undefined {
  if (actionType !== waitFor.name || parameters.gone === true) return undefined;
  const { windowTitle, element, text } = parameters as WaitForParameters;
  if (windowTitle !== undefined) return { window: windowTitle };
  if (element !== undefined) return { element };
  return text === undefined ? undefined : { text };
}

function stepOf({ actionType, parameters, targets }: DoneAction, id: string): Made {
  const { elementId, frameId, x, y, ...kept } = parameters;
  const isPlaced = elementId !== undefined || (x !== undefined && y !== undefined);
  const control = controlOf(parameters, targets);
  const takesPlace = isPlaced || (control?.isEditable === true && Object.hasOwn(parameters, 'text'));
  const target = control === undefined || !takesPlace ? undefined : nameOf(control);
  const step: ProcedureStep = {
    id,
    actionType,
    target,
    parameters: isPlaced && target === undefined ? { ...parameters } : kept,
  };
  return { step, faults: stepFaults(step, isPlaced) };
}

function stepFaults({ target, parameters }: ProcedureStep, isPlaced: boolean): SchemaFault[] {
  const texts = textsIn(parameters);
  return [
    ...(isPlaced && target === undefined ? [{ pointer: '/target', message: 'the control had no name' }] : []),
    ...('windowId' in parameters ? [{ pointer: '/parameters/windowId', message: 'a window has no lasting name' }] : []),
    ...('from' in parameters && 'to' in parameters && typeof parameters.from === 'object'
      ? [{ pointer: '/parameters', message: 'a drag has two places and no lasting names for them' }]
      : []),
    ...('artifactId' in parameters
      ? [{ pointer: '/parameters/artifactId', message: 'an artifact does not last' }]
      : []),
    ...(texts.some((text) => secretInText(text) !== undefined)
      ? [{ pointer: '/parameters', message: 'has a secret, which no procedure may keep' }]
      : []),
  ];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The control that the action was judged for. */
function controlOf(parameters: DoneAction['parameters'], targets: readonly Target[]): Control | undefined {
  const { elementId, frameId, x, y } = parameters as { elementId?: string; frameId?: string; x?: number; y?: number };
  const found =
    elementId !== undefined
      ? targetFor(targets, { kind: 'element', elementId })
      : x !== undefined && y !== undefined
        ? targetFor(targets, { kind: 'point', frameId, x, y })
        : targetFor(targets, { kind: 'focus' });
  return found !== undefined && 'control' in found ? found.control : undefined;
}

/** The name of a control; nothing where it has none, or one that is too long to be one. */
export function nameOf({ app, role, name, url }: Control): ControlName | undefined {
  const site = url === undefined ? undefined : siteOf(url);
  if (name.trim() === '' || name.length > LONGEST_TEXT || role === 'window' || app.appName.length > LONGEST_TEXT)
    return undefined;
  return { app: app.appName, site, role, name };
}

function isAlike(one: readonly Made[], other: readonly Made[]): boolean {
  const shape = (made: readonly Made[]) => shapeOf(made.map(({ step }) => step));
  return shape(one) === shape(other);
}

/** Equal where the same is done on the same controls, whatever the values are. */
export function shapeOf(steps: readonly Pick<ProcedureStep, 'actionType' | 'target'>[]): string {
  return JSON.stringify(steps.map(({ actionType, target }) => [actionType, target ?? null]));
}

/** The parameters of a step, where those that differ the second time are parameters of the procedure. */
function varied(step: ProcedureStep, second: unknown, parameters: Record<string, Bound>): Record<string, unknown> {
  const vary = (one: unknown, other: unknown, label: string): unknown => {
    if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null && !Array.isArray(one))
      return Object.fromEntries(
        Object.entries(one).map(([key, each]) => [key, vary(each, Reflect.get(other, key), key)]),
      );
    const bound = JSON.stringify(one) === JSON.stringify(other) ? undefined : boundOf(one, other);
    if (bound === undefined) return one;
    const name = freeName(step.target?.name ?? label, Object.keys(parameters));
    parameters[name] = bound;
    return { $parameter: name };
  };
  return vary(step.parameters, second, step.actionType) as Record<string, unknown>;
}

function boundOf(one: unknown, other: unknown): Bound | undefined {
  if (typeof one === 'number' && typeof other === 'number')
    return {
      type: 'number',
      minimum: Math.min(one, other),
      maximum: Math.max(one, other),
      isWhole: Number.isInteger(one) && Number.isInteger(other),
    };
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  const folder = folderOfPath(one);
  if (folder !== undefined && folder === folderOfPath(other)) return { type: 'path', under: folder };
  return { type: 'text', maxLength: Math.max(LONGEST_TEXT, one.length, other.length) };
}
