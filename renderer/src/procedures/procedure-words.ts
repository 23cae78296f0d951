import type { Bound, PersonsProcedure, ProcedureSubmission, StepInWords } from '../../../src/contract/procedure.ts';
import { dayWords } from '../time-words.ts';

/** A step with its number, from 1 on, and what must be true after it. */
export type ProcedureLine = { number: number; step: StepInWords; check: StepInWords | undefined };

/** The ids of steps are a stranger's text, so what is a check follows from the places of the steps, not from an id. */
export function linesOf({ procedure, steps }: PersonsProcedure): ProcedureLine[] {
  let place = 0;
  return procedure.steps.flatMap(({ expect }, index) => {
    const step = steps[place];
    const check = expect === undefined ? undefined : steps[place + 1];
    place += expect === undefined ? 1 : 2;
    return step === undefined ? [] : [{ number: index + 1, step, check }];
  });
}

/** The part that is exported, and kept again. */
export function submissionOf({ name, description, parameters, steps, may }: ProcedureSubmission): ProcedureSubmission {
  return { name, ...(description !== undefined && { description }), parameters, steps, may };
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
  if (all === 0) return 'No runs yet';
  return `${succeeded} of ${all} ${all === 1 ? 'run' : 'runs'} without a miss`;
}

export function leftWords({ runsLeft, until }: PersonsProcedure['approvals'][number], nowMs: number): string {
  return `${runsLeft} ${runsLeft === 1 ? 'run' : 'runs'} until ${dayWords(Date.parse(until), nowMs)}`;
}

export function timesWords(runs: number): string {
  return runs === 1 ? 'once' : `${runs} times`;
}

/** `step 3`, or `steps 3, 5 and 8`. */
export function numbersWords(numbers: readonly number[]): string {
  const listed = new Intl.ListFormat('en-GB').format(numbers.map(String));
  return `${numbers.length === 1 ? 'step' : 'steps'} ${listed}`;
}
