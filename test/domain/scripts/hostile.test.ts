import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Interpreter } from '../../../src/contract/scripts.ts';
import { noticeDangers } from '../../../src/domain/scripts/notice-dangers.ts';

const LANGUAGES: Interpreter[] = ['sh', 'python', 'node', 'applescript'];

const PIECES = [
  ...[
    '$(',
    '`',
    '"',
    "'",
    '(',
    ')',
    '{',
    '}',
    '$' + '{',
    '$' + '{x:-',
    '<<E',
    '\nE\n',
    '\n',
    '\\',
    '|',
    '&',
    ';',
    '>',
    '<(',
    '#',
    ' ',
  ],
  ...[
    "$'",
    'rm ',
    'sh -c ',
    'eval ',
    'sudo ',
    'xargs ',
    '| sh',
    'base64 -d',
    'for x in ',
    'do ',
    'done',
    'case ',
    ') ',
    'esac',
    'A=$A$A ',
  ],
  ...[
    'os.system(',
    'open(',
    '"""',
    '/*',
    'require(',
    'a = "b"',
    '.unlink(',
    'do shell script ',
    'find . -exec ',
    ' -- ',
    '\u0000',
    '\u{1f600}',
    '\ud800',
  ],
];

test('no text makes the analysis throw, and findings stay within the script', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 200 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(...LANGUAGES), (script, interpreter) => {
      const { findings } = noticeDangers({ interpreter, script });
      const lines = script.split('\n').length;
      expect(findings.flatMap((finding) => finding.lines).every((line) => line >= 1 && line <= lines)).toBe(true);
      expect(findings.every(({ words }) => words.length < 800 && !words.includes('\n'))).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});

test.each([
  ['a here-document without its end', '$(<<E\n$('],
  ['escaped line ends in a quote', "echo $'a\\n\\n\\n'; rm x"],
  ['escaped line ends in a script within the script', "sh -c $'echo\\n\\n\\nrm x'"],
])('%s adds no lines to the script', (_name, script) => {
  const { findings } = noticeDangers({ interpreter: 'sh', script });
  const lines = script.split('\n').length;
  expect(findings.flatMap((finding) => finding.lines)).toEqual([lines]);
});

const MEBIBYTE = 1024 * 1024;

test.each(PIECES)('a mebibyte of %j is read in bounded time, and said to be cut', (piece) => {
  const script = `rm first;${piece.repeat(MEBIBYTE / piece.length)}`;
  for (const interpreter of LANGUAGES) {
    const before = process.cpuUsage();
    const { isCut } = noticeDangers({ interpreter, script });
    const { user, system } = process.cpuUsage(before);
    expect(isCut).toBe(true);
    // The bench has the true figure. This bound only tells work that grows with the square of the length.
    expect((user + system) / 1_000).toBeLessThan(1_000);
  }
});

test('a command after the end of the work that an analysis may do is not passed over in silence', () => {
  const { findings, isCut } = noticeDangers({ interpreter: 'sh', script: `${': a;'.repeat(15_000)} rm -rf ~` });
  expect({ isCut, isNamed: findings.length > 0 }).toEqual({ isCut: true, isNamed: false });
});

test('programs that start each other are read eight deep, and a deeper script is said to do it', () => {
  const found = (times: number) => {
    const { findings } = noticeDangers({ interpreter: 'sh', script: `${'find . -exec '.repeat(times)}rm a.txt` });
    return findings.map(({ words }) => words).filter((words) => !words.startsWith('searches'));
  };
  expect([found(8), found(9)]).toEqual([['deletes a.txt'], ['runs text within text as programs']]);
});

test.each([2_000, 4_000])(
  '%d programs that start each other make nothing throw, and the script is said to be cut',
  (times) => {
    expect(noticeDangers({ interpreter: 'sh', script: 'find . -exec '.repeat(times) }).isCut).toBe(true);
  },
);

test('a script of the usual length is read to its end', () => {
  const script = `${'echo one two three\n'.repeat(300)}rm a\n`;
  expect(noticeDangers({ interpreter: 'sh', script })).toEqual({
    findings: [{ danger: 'deletes', words: 'deletes a', lines: [301] }],
    isCut: false,
  });
});
