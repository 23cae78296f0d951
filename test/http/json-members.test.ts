import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excessIn } from '../../src/http/json-body.ts';

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, member) => sum + membersOf(member), members.length);
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

test('the members and levels of any JSON text are counted exactly, whatever its strings and blanks hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t', ' \n'), (value, blanks) => {
      const body = Buffer.from(JSON.stringify(value, null, blanks));
      const [members, levels] = [membersOf(value), levelsOf(value)];
      expect(excessIn(body, { members, levels })).toBeUndefined();
      if (members > 0) expect(excessIn(body, { members: members - 1, levels })).toBe('members');
      if (levels > 0) expect(excessIn(body, { members, levels: levels - 1 })).toBe('levels');
    }),
  );
});

test.each([
  ['{"a,b":"c{[,","d":"\\",\\\\"}', 2],
  ['[[ ],{\n},[1]]', 4],
  ['["a,b"]', 1],
  ['[[]]', 1],
])('%s has %i members', (text, members) => {
  const body = Buffer.from(text);
  expect(excessIn(body, { members, levels: 9 })).toBeUndefined();
  expect(excessIn(body, { members: members - 1, levels: 9 })).toBe('members');
});
