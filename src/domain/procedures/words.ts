import { type ControlName, idByName, nameInId, wordsOfName } from '../../contract/control-name.ts';
import type { Bound, ProcedureSubmission, StepInWords } from '../../contract/procedure.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { ResolvedApp } from '../../contract/screen.ts';
import type { Target } from '../../contract/targets.ts';
import { listFiles } from '../catalogue/file-actions.ts';
import { CATALOGUE } from '../catalogue.ts';
import { isAtLeast } from '../risk.ts';
import { placeOf } from './bounds.ts';
import { asksAlways } from './cover.ts';
import { namedSteps, stepsOfRun } from './steps.ts';

/**
 * The steps of a procedure in words, judged by its names alone. The names of parameters stand in the place of values. The person sees a
 * step that `may.critical` lists as one of high risk, because the approval lets it do what is of high risk.
 */
export function stepsInWords(procedure: ProcedureSubmission, home: string): StepInWords[] {
  const named = namedSteps(procedure);
  return judgedSteps(procedure, home).map(({ isJudged: _isJudged, ...step }) =>
    named.includes(step.id) ? { ...step, risk: isAtLeast(step.risk, 'high') ? step.risk : 'high', asks: true } : step,
  );
}

/**
 * The highest risk at which an approval lets each step through, by its id. A step that is not named, and that cannot be judged without
 * its values, has none.
 */
export function approvedRisks(procedure: ProcedureSubmission, home: string): Record<string, RiskLevel> {
  const shown = stepsInWords(procedure, home);
  const named = namedSteps(procedure);
  const risks = judgedSteps(procedure, home).flatMap(({ id, isJudged }, index) => {
    if (named.includes(id)) return [[id, shown[index]?.risk ?? 'high'] as const];
    return isJudged ? [[id, 'medium'] as const] : [];
  });
  return Object.fromEntries(risks);
}

type JudgedStep = StepInWords & { isJudged: boolean };

/** A control as its name alone tells of it. `app`: the app behind the name, where it was looked up. */
export function targetByName(name: ControlName, app?: ResolvedApp): Target {
  return {
    kind: 'element',
    elementId: idByName(name),
    control: {
      app: app ?? { appName: name.app, alsoKnownAs: [], risks: [] },
      pid: null,
      windowId: null,
      windowTitle: name.window ?? '',
      role: name.role,
      name: name.name,
      bounds: null,
      isPassword: false,
      isEditable: EDITABLE.has(name.role),
      ...(name.site !== undefined && { url: `https://${name.site}/`, documents: [`https://${name.site}/`] }),
      isOwn: false,
    },
  };
}

const EDITABLE: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

function judgedSteps(procedure: ProcedureSubmission, home: string): JudgedStep[] {
  const values = Object.fromEntries(
    Object.entries(procedure.parameters).map(([name, bound]) => [name, sampleOf(name, bound, home)]),
  );
  return stepsOfRun(procedure, values, 'local').map(({ id, actionType, parameters }) => {
    const definition = CATALOGUE.get(actionType);
    const checked = definition?.check(definition.read(parameters));
    const { elementId } = parameters;
    const name = typeof elementId === 'string' ? nameInId(elementId) : undefined;
    const assessed = checked?.ok
      ? checked.assess({ targets: name === undefined ? [] : [targetByName(name)] })
      : undefined;
    if (assessed?.ok !== true) {
      const where = name === undefined ? '' : ` on ${wordsOfName(name)}`;
      return {
        id,
        sentence: `${actionType}${where}`,
        risk: definition?.baseRisk ?? 'high',
        asks: true,
        isJudged: false,
      };
    }
    const { assessment } = assessed;
    const { risk } = assessment;
    const isExpected = procedure.steps.every((step) => step.id !== id);
    const sentence =
      expectedWords({ actionType, parameters }, isExpected) ?? `${assessment.sentence}${endWords(parameters)}`;
    return { id, sentence, risk: risk.level, asks: asksAlways(assessment), isJudged: true };
  });
}

function expectedWords(
  { actionType, parameters }: { actionType: string; parameters: Record<string, unknown> },
  isExpected: boolean,
): string | undefined {
  return isExpected && actionType === listFiles.name ? `Look whether ${parameters.path} is there` : undefined;
}

function endWords({ okExitCodes }: Record<string, unknown>): string {
  return Array.isArray(okExitCodes) ? `, which must end with code ${okExitCodes.join(' or ')}` : '';
}

function sampleOf(name: string, bound: Bound, home: string): string | number {
  switch (bound.type) {
    case 'number':
      return bound.minimum;
    case 'path':
      return `${placeOf(bound.under, home) ?? ''}/⟨${name}⟩`;
    default:
      return `⟨${name}⟩`;
  }
}
