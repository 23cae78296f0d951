import { Check, Errors } from 'typebox/value';
import type { Outcome } from '../../agent/drivers/outcome.ts';
import { ACTION_DATA } from '../../src/contract/action-data.ts';

/** Throws when a result is not of the shape that the API description has for its action type. Answers the outcome. */
export function asDescribed<Data>(type: string, outcome: Outcome<Data>): Outcome<Data> {
  const shape = ACTION_DATA[type];
  if (!outcome.ok || shape === undefined || Check(shape, outcome.data)) return outcome;
  throw new Error(`the result of ${type} is not as described: ${JSON.stringify(Errors(shape, outcome.data))}`);
}
