import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProcedureSubmission } from '../../../src/contract/procedure.ts';
import { procedureDigest } from '../../../src/domain/procedures/cover.ts';
import { REPORT } from './report.ts';

type Place = { pointer: readonly (string | number)[]; value: unknown };

/** Each place in a value, with the value there. */
function placesIn(value: unknown, pointer: readonly (string | number)[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, value }];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [{ pointer, value }, ...keys.flatMap((key) => placesIn(Reflect.get(value, key), [...pointer, key]))];
}

function parentOf(whole: unknown, pointer: readonly (string | number)[]): object {
  return pointer.slice(0, -1).reduce((at, key) => Reflect.get(Object(at), key), whole) as object;
}

const { name: _name, description: _description, ...COVERED } = REPORT;
const PLACES = placesIn(COVERED).filter(({ pointer }) => pointer.length > 0);

/** One change of what the digest covers: a value, a member less, a member more, or another order of a list. */
const mutation = fc.record({
  place: fc.constantFrom(...PLACES),
  how: fc.constantFrom('value', 'remove', 'add', 'swap'),
  text: fc.string({ unit: 'binary', maxLength: 8 }),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
});

function mutated({ place, how, text, number }: { place: Place; how: string; text: string; number: number }) {
  const copy = structuredClone(COVERED) as unknown as ProcedureSubmission;
  const { pointer, value } = place;
  const parent = parentOf(copy, pointer);
  const key = pointer.at(-1) ?? '';
  if (how === 'remove') Array.isArray(parent) ? parent.splice(Number(key), 1) : Reflect.deleteProperty(parent, key);
  else if (how === 'add' && pointer.length > 1 && !Array.isArray(parent)) Reflect.set(parent, `x${text}`, number);
  else if (how === 'swap' && Array.isArray(parent) && parent.length > 1) parent.push(parent.shift());
  else Reflect.set(parent, key, typeof value === 'number' ? number : `${JSON.stringify(value)}${text}.`);
  return copy;
}

test('N54: no change of what has an effect keeps the digest of a procedure, in 10,000 random mutations', () => {
  const digest = procedureDigest(REPORT);
  let same = 0;
  fc.assert(
    fc.property(mutation, (each) => {
      const changed = mutated(each);
      // A number may come out as it was, and a list in its own order.
      if (JSON.stringify(changed) === JSON.stringify(COVERED)) same += 1;
      else expect(procedureDigest({ ...changed, name: REPORT.name })).not.toBe(digest);
    }),
    { numRuns: 10_000 },
  );
  expect(same).toBeLessThan(200);
});

test('name, description and the order of members are outside of the digest', () => {
  const { steps, parameters, may } = REPORT;
  const reordered = { may, steps, parameters: Object.fromEntries(Object.entries(parameters).toReversed()) };
  expect(procedureDigest({ ...reordered, name: 'Other', description: 'other words' })).toBe(procedureDigest(REPORT));
});
