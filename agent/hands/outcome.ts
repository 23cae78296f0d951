import type { InputResult } from '../../src/contract/hands.ts';
import type { InputOutcome, Typed } from '../drivers/input.ts';
import type { Outcome } from '../drivers/outcome.ts';

/** The outcome of an input in the words of the contract. The side effect of a failure says whether the desktop got the input. */
export function inputResult(outcome: InputOutcome<Partial<Typed>>): Outcome<InputResult> {
  if (!outcome.ok) return plain(outcome);
  const { delivered, safeToRepeat, data, ...done } = outcome;
  const { typedCharacters } = data;
  return { ...done, data: { delivered, safeToRepeat, typedCharacters } };
}

/** An outcome with data of its own. */
export function plain<Data>({ delivered: _told, safeToRepeat: _known, ...outcome }: InputOutcome<Data>): Outcome<Data> {
  return outcome;
}
