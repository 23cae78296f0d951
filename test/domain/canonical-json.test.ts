import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, canonicalObject } from '../../src/domain/canonical-json.ts';

describe('the canonical form of JSON', () => {
  test('says the same value, whatever the order of the members was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const canonical = canonicalJson(value);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(turnedAround(value))).toBe(canonical);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['members in another order', { b: 1, a: { d: 1, c: 2 } }, '{"a":{"c":2,"d":1},"b":1}'],
    ['names beyond the basic plane', { '\ufb33': 2, '\u{1f600}': 1 }, '{"\u{1f600}":1,"\ufb33":2}'],
    ['names that are numbers', { 2: 'two', 10: 'ten', a: 1 }, '{"10":"ten","2":"two","a":1}'],
    ['a member without a value', { b: 1, a: undefined }, '{"b":1}'],
    ['an array with a gap', [1, undefined, 3], '[1,null,3]'],
    ['an object with a toJSON method', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['numbers', [0, -0, 1e21, 1e-7, 0.1], '[0,0,1e+21,1e-7,0.1]'],
    [
      'more levels than the stack has room for',
      nested(20_000, { b: 1, a: 2 }),
      `${'['.repeat(20_000)}{"a":2,"b":1}${']'.repeat(20_000)}`,
    ],
  ])('is the one of RFC 8785 for %s', (_name, value, canonical) => {
    expect(canonicalJson(value)).toBe(canonical);
  });

  test.each([
    ['a lone surrogate', ['\ud800']],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['a number that is not finite', { a: Number.NaN }],
  ])('does not exist for %s', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow();
  });

  test('is put together from members that are in it already', () => {
    const members = { type: '"Wait"', files: undefined, parameters: '{"a":1}' };
    expect(canonicalObject(members)).toBe('{"parameters":{"a":1},"type":"Wait"}');
  });

  test('leaves out a member whose value was undefined before it was brought into that form', () => {
    expect(canonicalObject({ reason: canonicalJson(undefined), type: '"Wait"' })).toBe('{"type":"Wait"}');
  });
});

function nested(levels: number, value: unknown): unknown {
  let outer = value;
  for (let level = 0; level < levels; level += 1) outer = [outer];
  return outer;
}

/** The same value with the members of its objects from the last to the first. */
function turnedAround(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedAround);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, turnedAround(member)]),
  );
}
