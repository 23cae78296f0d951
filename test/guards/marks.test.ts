import { expect, test } from 'vitest';
import { withoutGuard } from './marks.ts';

const guard = { mark: 'A1-2', becomes: 'other();' };

test.each([
  ['the line with the mark', 'one();\ntwo(); // guard A1-2\nthree();', 'one();\nother();\nthree();'],
  [
    'the line below a mark alone',
    'one();\n// guard A1-2\ntwo();\nthree();',
    'one();\n// guard A1-2\nother();\nthree();',
  ],
  ['no line of another mark', 'one(); // guard A1-21\ntwo(); // guard A1-2', 'one(); // guard A1-21\nother();'],
  [
    'all lines from begin to end',
    'one(); // guard A1-2 begins\ntwo();\nthree(); // guard A1-2 ends\nfour();',
    'other();\nfour();',
  ],
  [
    'all lines between marks alone, beside others',
    '// guard A1-2 begins\n// guard A1-3\none();\ntwo();\n// guard A1-2 ends\nthree();',
    '// guard A1-2 begins\n// guard A1-3\nother();\n// guard A1-2 ends\nthree();',
  ],
])('a guard is taken out: %s', (_what, text, without) => {
  expect(withoutGuard(text, guard)).toBe(without);
});

test('a guard that becomes nothing leaves no line', () => {
  expect(withoutGuard('one();\ntwo(); // guard A1-2\nthree();', { ...guard, becomes: '' })).toBe('one();\nthree();');
});
