import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, canonicalObject } from '../../src/domain/canonical-json.ts';

describe('the canonical form of JSON', () => {
  test('is that of the library for any JSON, with its members in any order', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const canonical = canonicalize(value);
        expect(canonicalJson(value)).toBe(canonical);
        expect(canonicalJson(JSON.parse(canonical ?? ''))).toBe(canonical);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['members in another order', { b: 1, a: { d: 1, c: 2 } }],
    ['names that are numbers, which JavaScript puts first in their own order', { 10: 'ten', 2: 'two', a: 1 }],
    ['names beyond the basic plane, which are ordered by UTF-16 units', { '\u{1f600}': 1, '\ufb33': 2 }],
    ['a member without a value', { a: undefined, b: 1 }],
    ['an array with a gap', [1, undefined, 3]],
    ['an object with a toJSON method', { at: new Date(0) }],
    ['numbers', [0, -0, 1e21, 1e-7, 0.1]],
    ['more levels than are looked through', nested(12, { b: 1, a: 2 })],
    ['more levels than the stack has room for', nested(20_000, { b: 1, a: 2 })],
  ])('is that of the library for %s', (_name, value) => {
    expect(canonicalJson(value)).toBe(canonicalize(value));
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
    expect(canonicalObject(members)).toBe(canonicalize({ type: 'Wait', parameters: { a: 1 } }));
  });
});

function nested(levels: number, value: unknown): unknown {
  let outer = value;
  for (let level = 0; level < levels; level += 1) outer = [outer];
  return outer;
}
