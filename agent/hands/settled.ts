import type { InputResult } from '../../src/contract/hands.ts';
import { SETTLE_WITHIN_MS } from '../../src/contract/hands.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';

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
