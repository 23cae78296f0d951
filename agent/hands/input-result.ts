import { type InputResult, SETTLE_WITHIN_MS } from '../../src/contract/hands.ts';
import type { Driver } from '../drivers/driver.ts';
import type { InputOutcome, Typed } from '../drivers/input.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';

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

type Perform<Parameters> = (driver: Driver, parameters: Parameters, attempt: Attempt) => Promise<Outcome<InputResult>>;

/** After an input the answer says whether the screen has come to rest, so that the next look shows the effect. */
export function saysWhetherSettled<Parameters>(perform: Perform<Parameters>): Perform<Parameters> {
  return async (driver, parameters, attempt) => {
    const outcome = await perform(driver, parameters, attempt);
    if (!outcome.ok) return outcome;
    const settled = await driver.input().settle({ withinMs: SETTLE_WITHIN_MS.input }, attempt);
    return { ...outcome, data: { ...outcome.data, settled } };
  };
}
