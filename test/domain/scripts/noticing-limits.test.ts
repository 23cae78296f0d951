import { describe, expect, test } from 'vitest';
import { listed, shortened } from '../../../src/domain/scripts/finding.ts';
import { type Noted, noticeDangers } from '../../../src/domain/scripts/notice-dangers.ts';
import { noticedInSentence, noticedInView, rulesOfNoticed } from '../../../src/domain/scripts/noticed-words.ts';

const read = (script: string) => noticeDangers({ interpreter: 'sh', script });

test.each([
  [0, false],
  [1, true],
])('of a script the first 65,536 characters are read; %d more, and the prompt says so: %s', (more, isCut) => {
  const command = '\nrm a.txt';
  const script = `#${'x'.repeat(65_536 - 1 - command.length + more)}${command}`;
  expect(read(script).isCut).toBe(isCut);
});

test('400 findings are kept, and a script with more is said to be cut', () => {
  const deleting = (count: number) => Array.from({ length: count }, (_, index) => `rm ${index}.txt`).join('\n');
  const all = read(deleting(400));
  const cut = read(deleting(401));
  expect([all.findings.length, all.isCut, cut.findings.length, cut.isCut]).toEqual([400, false, 400, true]);
});

test('of a finding that comes again and again the first twenty lines are kept', () => {
  const [found] = read('rm a.txt\n'.repeat(25)).findings;
  expect(found?.lines).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

const noted = (count: number): Noted[] =>
  Array.from({ length: count }, (_, index) => ({ danger: 'deletes', words: `deletes ${index}`, lines: [1] }));

describe('what was noticed', () => {
  test('is told in a sentence up to four findings, and how many more there are', () => {
    const sentence = (count: number) => noticedInSentence({ findings: noted(count), isCut: false });
    expect(sentence(4)).toBe(
      '. Handrail noticed: deletes 0 (line 1); deletes 1 (line 1); deletes 2 (line 1); deletes 3 (line 1)',
    );
    expect(sentence(5)).toMatch(/deletes 3 \(line 1\); 1 more$/);
  });

  test('is told with five lines at most', () => {
    const told = (count: number) => {
      const lines = Array.from({ length: count }, (_, index) => index + 1);
      return noticedInSentence({ findings: [{ danger: 'deletes', words: 'deletes a', lines }], isCut: false });
    };
    expect(told(5)).toBe('. Handrail noticed: deletes a (lines 1, 2, 3, 4, 5)');
    expect(told(6)).toBe('. Handrail noticed: deletes a (lines 1, 2, 3, 4, 5, …)');
  });

  test('gives three reasons at most, and 24 lines of a list', () => {
    const reasons = (count: number) => rulesOfNoticed({ findings: noted(count), isCut: false }).length;
    const view = (count: number) => noticedInView({ findings: noted(count), isCut: false });
    expect([reasons(3), reasons(4)]).toEqual([3, 3]);
    expect([view(24).noticed?.length, view(24).noticedCut, view(25).noticed?.length, view(25).noticedCut]).toEqual([
      24,
      false,
      24,
      true,
    ]);
  });
});

test('a name of 90 characters stands whole, and a longer one is cut in its middle to 90', () => {
  const name = `${'a'.repeat(45)}${'b'.repeat(45)}`;
  expect(shortened(name)).toBe(name);
  expect(shortened(`${name}b`)).toBe(`${'a'.repeat(45)}…${'b'.repeat(44)}`);
});

test('of a list four names are told, and how many more there are', () => {
  expect([listed(['a', 'b', 'c', 'd']), listed(['a', 'b', 'c', 'd', 'e'])]).toEqual([
    'a, b, c, d',
    'a, b, c, d and 1 more',
  ]);
});

test.each([
  ['sh', ':;', 3_100, false],
  ['sh', ':;', 3_250, true],
  ['python', 'f(1)\n', 11_400, false],
  ['python', 'f(1)\n', 11_800, true],
] as const)('the work of reading %s %j %d times is too much: %s', (interpreter, piece, times, isCut) => {
  expect(noticeDangers({ interpreter, script: piece.repeat(times) }).isCut).toBe(isCut);
});
