import { nameInId, wordsOfName } from '../../contract/control-name.ts';
import type { Bound, ProcedureSubmission, StepInWords } from '../../contract/procedure.ts';
import { CATALOGUE } from '../catalogue.ts';
import { placeOf } from './bounds.ts';
import { targetByName } from './by-name.ts';
import { asksAlways } from './cover.ts';
import { stepsOfRun } from './steps.ts';

/** The steps of a procedure in words, judged by its names alone, with the names of parameters in the place of values. */
export function stepsInWords(procedure: ProcedureSubmission, home: string): StepInWords[] {
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
      return { id, sentence: `${actionType}${where}`, risk: definition?.baseRisk ?? 'high', asks: true };
    }
    const { assessment } = assessed;
    return { id, sentence: assessment.sentence, risk: assessment.risk.level, asks: asksAlways(assessment) };
  });
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
