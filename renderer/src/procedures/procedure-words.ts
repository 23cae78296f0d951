import type { Bound, PersonsProcedure, ProcedureSubmission, StepInWords } from '../../../src/contract/procedure.ts';
import { dayWords } from '../time-words.ts';

/** A step with its number, from 1 on, and what must be true after it. `chosen`: parameters that its sentence shows by their lowest value. */
export type ProcedureLine = { number: number; step: StepInWords; chosen: string[]; check: StepInWords | undefined };

/** The ids of steps are a stranger's text, so what is a check follows from the places of the steps, not from an id. */
export function linesOf({ procedure, steps }: PersonsProcedure): ProcedureLine[] {
  const words = steps.values();
  return procedure.steps.flatMap(({ expect, parameters }, index) => {
    const step = words.next().value;
    const check = expect === undefined || expect.exitCode !== undefined ? undefined : words.next().value;
    const numbers = Object.keys(procedure.parameters).filter((name) => procedure.parameters[name]?.type === 'number');
    const chosen = numbers.filter((name) => JSON.stringify(parameters).includes(`{"$parameter":"${name}"}`));
    return step === undefined ? [] : [{ number: index + 1, step, chosen, check }];
  });
}

/** The part that is exported, and kept again. */
export function submissionOf({ name, description, parameters, steps, may }: ProcedureSubmission): ProcedureSubmission {
  return { name, description, parameters, steps, may };
}

/** The name of a parameter as a label: `zipCode` is `Zip code`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function boundWords(bound: Bound): string {
  switch (bound.type) {
    case 'choice':
      return `one of ${bound.values.map((value) => `“${value}”`).join(', ')}`;
    case 'number':
      return `a ${bound.isWhole === true ? 'whole ' : ''}number from ${bound.minimum} to ${bound.maximum}`;
    case 'path':
      return `a path in ${bound.under}`;
    case 'text':
      return bound.pattern === undefined
        ? `any text of at most ${bound.maxLength} characters`
        : `a text that matches ${bound.pattern}`;
  }
}

export function runsWords({ all, succeeded }: PersonsProcedure['runs']): string {
  return all === 0 ? 'No runs yet' : `${succeeded} of ${countOf(all, 'run')} without a miss`;
}

export function leftWords({ runsLeft, until }: PersonsProcedure['approvals'][number], nowMs: number): string {
  return `${countOf(runsLeft, 'run')} until ${dayWords(Date.parse(until), nowMs)}`;
}

/** Such as `1 run` or `3 runs`. */
export function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
